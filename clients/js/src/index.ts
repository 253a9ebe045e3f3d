/** The TypeScript SDK of Workspace Memory. */

export { ChatTurn, type ChatEvent, type ChatFields } from "./chat.js";
export {
  ApiError,
  ConflictError,
  ForbiddenError,
  InvalidError,
  NoAnswerError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  TooLargeError,
  UnauthenticatedError,
  UnexpectedAnswerError,
  WorkspaceMemoryError,
  WorkspaceNotNamedError,
  type FieldProblem,
} from "./errors.js";
export type { EventFilters } from "./events.js";
export { Items } from "./items.js";
export type { Listed, MemoryChanges, MemoryFields, SearchFields } from "./memories.js";
export { Memory, cite, type CallOptions, type ContextFields, type MemoryOptions } from "./memory.js";
export { Operator, type OperatorOptions } from "./operator.js";
export type { NewAction } from "./resources.js";
export type { Retries } from "./retries.js";
export type { AnswerOf, BodyOf, ItemOf, Method, PathOf, QueryOf, Route, Schemas } from "./routes.js";
export { Session, type NewMessage } from "./sessions.js";
export { Slot, type SlotHit, type SlotSpec } from "./slots.js";
export type { PartsOf } from "./transport.js";
export { VERSION } from "./transport.js";
