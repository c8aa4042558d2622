import document = require('petstore-api-types/petstore.json')

export const version: string = document.info.version
