/** An operation as openapi-typescript describes it. */
interface Described { parameters: { path?: unknown, query?: unknown, header?: unknown }, requestBody?: unknown, responses: object }

type JsonOf<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : undefined
type Present<Part> = [Exclude<Part, undefined>] extends [never] ? Record<never, never> : Exclude<Part, undefined>

/** What arrives at a handler: validated, with the types and defaults of the document. */
export interface OperationRequest<Operation extends Described> {
  params: Present<Operation['parameters']['path']>
  query: Present<Operation['parameters']['query']>
  headers: LowerCased<Present<Operation['parameters']['header']>>
  body: JsonOf<NonNullable<Operation['requestBody']>> | (undefined extends Operation['requestBody'] ? undefined : never)
}

/** Node gives the names of headers in lower case. */
type LowerCased<Headers> = { [Name in keyof Headers as Lowercase<Name & string>]: Headers[Name] }

type SuccessOf<Responses> = ValueOf<{ [Status in keyof Responses & number as `${Status}` extends `2${string}` ? Status : never]: Responses[Status] }>
type ValueOf<Type> = Type[keyof Type]

/** The body of the operation's one 2xx response, alone or in an {@link Answer} with headers that this response declares. */
export type OperationResult<Operation extends Described> = ResultOf<JsonOf<SuccessOf<Operation['responses']>>>
type ResultOf<Body> = Body | Answer<Body> | (undefined extends Body ? void : never)

/** Answers one operation. It returns the body and never sends; what it throws becomes an error answer. */
export type Handler<Operation extends Described> = (request: OperationRequest<Operation>) => OperationResult<Operation> | Promise<OperationResult<Operation>>

/** One handler for each operation of the document, no more and no less; anything else does not compile. */
export type HandlersOf<Operations> = { [Id in keyof Operations]: Operations[Id] extends Described ? Handler<Operations[Id]> : never }

/** A body together with response headers; with a status only where it is not the operation's 2xx. */
export class Answer<Body> {
  constructor (readonly body: Body, readonly headers: Record<string, string>, readonly status?: number) {}
}
