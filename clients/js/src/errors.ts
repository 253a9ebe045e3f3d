/** What can go wrong between an agent and its memory, as classes that name it. */

/** The base of everything that this package throws by itself. */
export class WorkspaceMemoryError extends Error {
  override name = "WorkspaceMemoryError";
}

/** The server could not be reached, did not answer in time, or broke off. */
export class NoAnswerError extends WorkspaceMemoryError {
  override name = "NoAnswerError";
}

/** Something answered that is not a Workspace Memory server, or one that this version does not understand. */
export class UnexpectedAnswerError extends WorkspaceMemoryError {
  override name = "UnexpectedAnswerError";
}

/** No workspace was named, and the key does not belong to exactly one; or it does not open the one that was. */
export class WorkspaceNotNamedError extends WorkspaceMemoryError {
  override name = "WorkspaceNotNamedError";
}

/** What is wrong with one field: its path with dots, a stable code, a sentence. */
export interface FieldProblem {
  field: string;
  code: string;
  detail: string;
}

/** The body of a refusal, `application/problem+json`. */
export interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  errors?: FieldProblem[];
  current?: Record<string, unknown>;
}

/**
 * The server refused. `code` is stable and what programs look at; `detail` is a sentence that names the cure.
 * `problems` are those of fields; `current` is the object as it is now, where the caller had an older version of it.
 */
export class ApiError extends WorkspaceMemoryError {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly problems: readonly FieldProblem[];
  readonly current: Record<string, unknown> | undefined;

  constructor(problem: Problem) {
    super(`${problem.detail} [${problem.code}]`);
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail;
    this.problems = problem.errors ?? [];
    this.current = problem.current;
  }
}

/** 401: the key is unknown, expired or revoked. */
export class UnauthenticatedError extends ApiError {
  override name = "UnauthenticatedError";
}

/** 403: the key lacks a scope; the detail says which. */
export class ForbiddenError extends ApiError {
  override name = "ForbiddenError";
}

/** 404: there is no such thing in this workspace. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409: the thing is in a state that does not allow this. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 413: more than the server accepts at once. */
export class TooLargeError extends ApiError {
  override name = "TooLargeError";
}

/** 422: fields that cannot be accepted; `problems` says which and why. */
export class InvalidError extends ApiError {
  override name = "InvalidError";
}

/** 429, also after the retries: slow down. */
export class RateLimitedError extends ApiError {
  override name = "RateLimitedError";
}

/** 5xx, also after the retries: the server, or something behind it, fails. */
export class ServerError extends ApiError {
  override name = "ServerError";
}

const BY_STATUS: Record<number, typeof ApiError> = {
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  422: InvalidError,
  429: RateLimitedError,
};

/** Return the error for an answer of 400 or more; `body` is its JSON, or undefined where it has none. */
export function apiError(status: number, body: unknown): ApiError {
  const given = isObject(body) ? (body as Partial<Problem>) : {};
  const title = given.title ?? `The server answered ${status}.`;
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Kind({
    status,
    code: given.code ?? `http_${status}`,
    title,
    detail: given.detail ?? title,
    ...(Array.isArray(given.errors) ? { errors: given.errors } : {}),
    ...(isObject(given.current) ? { current: given.current } : {}),
  });
}

/** Return whether a value is an object of JSON. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
