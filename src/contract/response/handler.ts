import type { Readable } from 'node:stream'

/** An operation as openapi-typescript describes it. */
interface Described {
  parameters: { path?: unknown; query?: unknown; header?: unknown; cookie?: unknown }
  requestBody?: unknown
  responses: object
}

type ContentOf<Part> = Part extends { content: infer Content } ? Content : never
type JsonType = `${string}/json` | `${string}+json` | `${string}/json;${string}` | '*/*'
type Present<Part> = [Exclude<Part, undefined>] extends [never] ? Record<never, never> : Exclude<Part, undefined>
type ValueOf<Type> = Type[keyof Type]

/** What arrives at a handler: validated, with the types and defaults of the document. */
export interface OperationRequest<Operation extends Described> {
  params: Present<Operation['parameters']['path']>
  query: Present<Operation['parameters']['query']>
  headers: LowerCased<Present<Operation['parameters']['header']>>
  cookies: Present<Operation['parameters']['cookie']>
  /**
   * Of any of the media types that the document has; `headers['content-type']` says which. What is no text is bytes.
   */
  body:
    | BodyOf<ContentOf<NonNullable<Operation['requestBody']>>>
    | (undefined extends Operation['requestBody'] ? undefined : never)
}

/** Node gives the names of headers in lower case. */
type LowerCased<Headers> = { [Name in keyof Headers as Lowercase<Name & string>]: Headers[Name] }

type BodyOf<Content> = [Content] extends [never]
  ? undefined
  : ValueOf<{ [Type in keyof Content]: Type extends JsonType | ReadType ? Content[Type] : Uint8Array }>
type ReadType =
  | `text/${string}`
  | `${string}/xml`
  | `${string}+xml`
  | 'application/x-www-form-urlencoded'
  | 'multipart/form-data'
  | `${string}*${string}`

/** The statuses that a handler may answer with: what is declared of 2xx and 3xx, or `default` where no 2xx is. */
type SuccessOf<Responses> =
  | StatusLike<keyof Responses, '2' | '3'>
  | ([StatusLike<keyof Responses, '2'>] extends [never] ? Extract<keyof Responses, 'default'> : never)
type StatusLike<Status, First extends string> = Status extends string | number
  ? `${Status}` extends `${First}${string}`
    ? Status
    : never
  : never
/** The status of an answer that names none: the one 2xx, or what stands for it. */
type PlainOf<Responses> = Sole<
  [StatusLike<keyof Responses, '2'>] extends [never]
    ? Extract<keyof Responses, 'default'>
    : StatusLike<keyof Responses, '2'>
>
/** A type that is no union; else never. */
type Sole<Type, All = Type> = [Type] extends [never]
  ? never
  : Type extends unknown
    ? [All] extends [Type]
        ? Type
        : never
    : never

/**
 * What a handler answers with. Where the document has one 2xx response with one media type, its body is enough; where
 * it has several, an {@link Answer} says which it is.
 */
export type OperationResult<Operation extends Described> = ResultOf<
  Operation['responses'],
  PlainOf<Operation['responses']>
>
type ResultOf<Responses, Plain> =
  | PlainBody<Responses, Plain>
  | ValueOf<{
    [Status in SuccessOf<Responses> & keyof Responses]: AnswerOf<
        ContentOf<Responses[Status]>,
        (Status extends number ? Status : number) | (Status extends Plain ? undefined : never)
      >
  }>
type PlainBody<Responses, Plain> = [Plain] extends [keyof Responses]
  ? [ContentOf<Responses[Plain]>] extends [never]
      ? [Plain] extends [never]
          ? never
          : undefined | void
      : SentAs<ContentOf<Responses[Plain]>, Sole<keyof ContentOf<Responses[Plain]>>>
  : never
type AnswerOf<Content, Status extends number | undefined> = [Content] extends [never]
  ? Answer<undefined, Status>
  : ValueOf<{
    [Type in keyof Content]: Answer<
        SentAs<Content, Type>,
        Status,
        TypeName<Type> | (Type extends Sole<keyof Content> ? undefined : never)
      >
  }>
/** `image/*` stands for any that fits it. */
type TypeName<Type> = Type extends `${infer Before}*${infer After}`
  ? `${Before}${string}${After extends `${string}*${string}` ? string : After}`
  : Type & string
type SentAs<Content, Type> = Type extends keyof Content
  ? Type extends JsonType
    ? Content[Type]
    : string | Uint8Array | Readable
  : never

/** Answers one operation. It returns the body and never sends; what it throws becomes an error answer. */
export type Handler<Operation extends Described> = (
  request: OperationRequest<Operation>
) => OperationResult<Operation> | Promise<OperationResult<Operation>>

/** One handler for each operation of the document, no more and no less; anything else does not compile. */
export type HandlersOf<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends Described ? Handler<Operations[Id]> : never
}

/**
 * A body together with response headers; with its status where that is not the operation's one 2xx, and its media type
 * where the response has several.
 */
export class Answer<Body, Status extends number | undefined = undefined, Type extends string | undefined = undefined> {
  readonly status: Status
  readonly type: Type

  constructor (
    readonly body: Body,
    readonly headers: Record<string, string> = {},
    status?: Status,
    type?: Type
  ) {
    this.status = status as Status
    this.type = type as Type
  }
}
