import { HttpError, notFound } from '../http/http-error.ts';
import { ResourceError, type ResourceFault } from '../registries/resource-error.ts';

const STATUS: Record<ResourceFault, number> = {
  missing: 404,
  invalid: 400,
  conflict: 409,
  forbidden: 403,
  tooLarge: 413,
};

/** Runs `action`; a resource that can't do it becomes an answer with a status and a text. */
export function withHttpErrors<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    throw error.fault === 'missing'
      ? notFound(error.message)
      : new HttpError(STATUS[error.fault], error.message);
  }
}
