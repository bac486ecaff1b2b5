/** A user as `GET /api/v1/users` lists it. Members beyond these depend on the version of the service. */
export interface User {
  readonly userID: string;
  readonly email: string;
  readonly isRoot?: boolean;
  readonly [member: string]: unknown;
}

/** All that the service tells of one user. */
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
  /** May the user administer the whole service? */
  readonly isRoot: boolean;
  /** May the user administer the organization? */
  readonly isOrgRoot: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
}
