// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

export * from './client.js'
