/** A user as listed by `GET /api/v1/users`. Optional members depend on the service version. */
export interface User extends Partial<Omit<UserDetails, 'id' | 'email'>> {
  readonly userID: string;
  readonly email: string;
}

/** Details of a user. */
export interface UserDetails {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly fullName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly picture: string | null;
  readonly company: string | null;
  readonly countryCode: string | null;
  readonly stateCode: string | null;
  /** True if the user can administer the whole service. */
  readonly isRoot: boolean;
  /** True if the user can administer the organization. */
  readonly isOrgRoot: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
}
