/** A user as `GET /api/v1/users` lists it. Members beyond these depend on the version of the service. */
export interface User {
  readonly userID: string;
  readonly email: string;
  readonly isRoot?: boolean;
  readonly [member: string]: unknown;
}
