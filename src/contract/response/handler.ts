import type { Readable } from 'node:stream'
import type { Answer } from './answer.js'

/** An operation as openapi-typescript describes it. */
interface DescribedOperation {
  parameters: { path?: unknown; query?: unknown; header?: unknown; cookie?: unknown }
  requestBody?: unknown
  responses: object
}

/** One handler for each operation of the document, no more and no less; anything else does not compile. */
export type HandlersOf<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends DescribedOperation ? Handler<Operations[Id]> : never
}

/** Answers one operation. It returns what to answer and never sends; what it throws becomes an error answer. */
export type Handler<Operation extends DescribedOperation> = (
  request: OperationRequest<Operation>
) => OperationResult<Operation> | Promise<OperationResult<Operation>>

/** What arrives at a handler: validated, with the types and defaults of the document. */
export interface OperationRequest<Operation extends DescribedOperation> {
  params: Declared<Operation['parameters']['path']>
  query: Declared<Operation['parameters']['query']>
  headers: LowerCased<Declared<Operation['parameters']['header']>>
  cookies: Declared<Operation['parameters']['cookie']>
  /**
   * Of any of the media types that the document has; `headers['content-type']` says which. What is no text is bytes.
   */
  body:
    | RequestBodyOf<ContentOf<NonNullable<Operation['requestBody']>>>
    | (undefined extends Operation['requestBody'] ? undefined : never)
}

/** The parameters of one place; an object without properties where none are declared. */
type Declared<Parameters> = [Exclude<Parameters, undefined>] extends [never]
  ? Record<never, never>
  : Exclude<Parameters, undefined>

/** Node gives the names of headers in lower case. */
type LowerCased<Headers> = { [Name in keyof Headers as Lowercase<Name & string>]: Headers[Name] }

/** The bodies that a content declares; those of a media type that is not read are bytes. */
type RequestBodyOf<Content> = [Content] extends [never]
  ? undefined
  : ValueOf<{ [Type in keyof Content]: Type extends JsonType | ReadType ? Content[Type] : Uint8Array }>

type JsonType = `${string}/json` | `${string}+json` | `${string}/json;${string}` | '*/*'
type ReadType =
  | `text/${string}`
  | `${string}/xml`
  | `${string}+xml`
  | 'application/x-www-form-urlencoded'
  | 'multipart/form-data'
  | `${string}*${string}`

/**
 * What a handler answers with. Where the document has one 2xx response with one media type, its body is enough; where
 * it has several, an {@link Answer} says which it is.
 */
export type OperationResult<Operation extends DescribedOperation> = ResultOf<
  Operation['responses'],
  DefaultStatusOf<Operation['responses']>
>

type ResultOf<Responses, DefaultStatus> =
  | BodyAloneOf<Responses, DefaultStatus>
  | ValueOf<{
    [Status in SuccessStatusOf<Responses> & keyof Responses]: AnswerOf<
        ContentOf<Responses[Status]>,
        (Status extends number ? Status : number) | (Status extends DefaultStatus ? undefined : never)
      >
  }>

/** The statuses that a handler may answer with: what is declared of 2xx and 3xx, or `default` where no 2xx is. */
type SuccessStatusOf<Responses> =
  | StatusOf<keyof Responses, '2' | '3'>
  | ([StatusOf<keyof Responses, '2'>] extends [never] ? Extract<keyof Responses, 'default'> : never)

/** Those of some statuses that begin with a digit. */
type StatusOf<Status, Digit extends string> = Status extends string | number
  ? `${Status}` extends `${Digit}${string}`
    ? Status
    : never
  : never

/** The status of an answer that names none: the one 2xx, or `default` where no 2xx is; else never. */
type DefaultStatusOf<Responses> = OnlyOf<
  [StatusOf<keyof Responses, '2'>] extends [never]
    ? Extract<keyof Responses, 'default'>
    : StatusOf<keyof Responses, '2'>
>

/**
 * What a handler may return instead of an {@link Answer}: the body of the default status where that has one media type,
 * nothing where it has no body, and never where there is no default status.
 */
type BodyAloneOf<Responses, DefaultStatus> = [DefaultStatus] extends [never]
  ? never
  : DefaultStatus extends keyof Responses
    ? BodyOrNothing<ContentOf<Responses[DefaultStatus]>>
    : never

type BodyOrNothing<Content> = [Content] extends [never]
  ? undefined | void
  : SentBody<Content, OnlyOf<keyof Content>>

/** An answer of one status: without a body, or with that of any of its media types. */
type AnswerOf<Content, Status extends number | undefined> = [Content] extends [never]
  ? Answer<undefined, Status>
  : ValueOf<{
    [Type in keyof Content]: Answer<
        SentBody<Content, Type>,
        Status,
        NameOfType<Type> | (Type extends OnlyOf<keyof Content> ? undefined : never)
      >
  }>

/** The media types that a key of a content stands for: `image/*` is any that fits it. */
type NameOfType<Type> = Type extends `${infer Before}*${infer After}`
  ? `${Before}${string}${After extends `${string}*${string}` ? string : After}`
  : Type & string

/** The body of a media type as a handler gives it: a value for JSON, else what can be sent as it is. */
type SentBody<Content, Type> = Type extends keyof Content
  ? Type extends JsonType
    ? Content[Type]
    : string | Uint8Array | Readable
  : never

type ContentOf<Described> = Described extends { content: infer Content } ? Content : never
type ValueOf<Type> = Type[keyof Type]

/** A type that is no union; else never. */
type OnlyOf<Type, All = Type> = [Type] extends [never]
  ? never
  : Type extends unknown
    ? [All] extends [Type]
        ? Type
        : never
    : never
