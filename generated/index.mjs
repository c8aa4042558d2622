// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

export const petStatusValues = ["available", "pending", "sold"];
