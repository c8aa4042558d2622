import document from 'petstore-api-types/petstore.json' with { type: 'json' }

export const version: string = document.info.version
