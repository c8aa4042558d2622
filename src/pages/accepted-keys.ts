/** Which API keys a server takes: those that its operator issues, or, where it is a mock, any text or none at all. */
export type AcceptedKeys = 'issued' | 'any' | 'none'

const MOCK = 'This server is a mock: it answers with the examples of the document and stores nothing.'

/** The variable of the environment that examples read the key from. */
export const KEY_VARIABLE = 'PETSTORE_KEY'

/** What a person is told of the keys of a server. */
export const KEY_SENTENCES: Record<AcceptedKeys, string> = {
  issued: 'Calls need an API key, which the operator of this server issues.',
  any: `${MOCK} Calls need an API key, and any text will do.`,
  none: `${MOCK} Calls need no key.`
}

/** What a call sends of a key, as options of curl with a space behind them. */
export const CURL_OPTIONS: Record<AcceptedKeys, string> = {
  issued: `-H "Authorization: Bearer $${KEY_VARIABLE}" `,
  any: '-H "Authorization: Bearer any" ',
  none: ''
}
