/** The routes of a workspace as types, read off the OpenAPI document: what each takes and answers. */

import type { components, paths } from "./openapi.js";

/** The answers of the server by their names. */
export type Schemas = components["schemas"];

type Workspace = "/v1/workspaces/{ws}/";
type Below<P> = P extends `${Workspace}${infer R}` ? R : never;

/** A route below `/v1/workspaces/{ws}/`, with its parameters in braces: `memories/{memory_id}`. */
export type Route = Below<keyof paths>;
type At<R extends Route> = `${Workspace}${R}` extends infer P extends keyof paths ? paths[P] : never;
type Verb = "get" | "post" | "put" | "patch" | "delete";

/** The methods of a route, in lower case. */
export type Method<R extends Route> = {
  [V in Verb]: V extends keyof At<R> ? ([Exclude<At<R>[V], undefined>] extends [never] ? never : V) : never;
}[Verb];

type Operation<R extends Route, M> = M extends keyof At<R> ? Exclude<At<R>[M], undefined> : never;

/** The parameters in the address of a route, without the workspace. */
export type PathOf<R extends Route, M> =
  Operation<R, M> extends { parameters: { path: infer P } } ? Omit<P, "ws"> : never;

/** The query string of a call. */
export type QueryOf<R extends Route, M> =
  Operation<R, M> extends { parameters: { query?: infer Q } } ? WithDates<Exclude<Q, undefined>> : never;

/** The JSON body of a call. */
export type BodyOf<R extends Route, M> =
  Operation<R, M> extends { requestBody?: infer B }
    ? Exclude<B, undefined> extends { content: { "application/json": infer J } }
      ? WithDates<J>
      : never
    : never;

type Contents<T> = T extends { content: infer C } ? (C extends { "application/json": infer J } ? J : never) : never;

/** The JSON of a successful answer; void where there is none. */
export type AnswerOf<R extends Route, M> =
  Operation<R, M> extends { responses: infer S }
    ? [Contents<S[keyof S]>] extends [never]
      ? void
      : Contents<S[keyof S]>
    : never;

/** The items of a list. */
export type ItemOf<R extends Route> = AnswerOf<R, "get"> extends { results: (infer T)[] } ? T : never;

/** What may be given in a list, without what pages it. */
export type FiltersOf<R extends Route> = Omit<QueryOf<R, "get">, "limit" | "cursor">;

// The fields that hold a time, by how their names end.
type TimeName =
  | `${string}_at`
  | `${string}_after`
  | `${string}_before`
  | `valid_${string}`
  | "as_of"
  | "since"
  | "until";

/** The same fields, with a `Date` for a time where the caller has one. */
export type WithDates<T> = T extends unknown
  ? {
      [K in keyof T]: K extends TimeName
        ? string extends T[K]
          ? T[K] | Date
          : Extract<T[K], string> extends never
            ? T[K]
            : T[K] | Date
        : T[K];
    }
  : never;
