// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

import type { components, operations } from "./petstore.js";
export type { components, operations, paths, webhooks } from "./petstore.js";
/**
 * @description Availability status of an animal.
 * @enum {string}
 */
export type PetStatus = components["schemas"]["PetStatus"];
/** @description An animal to add. */
export type NewPet = components["schemas"]["NewPet"];
/** @description An animal of the store. */
export type Pet = components["schemas"]["Pet"];
/** @description A page of animals. */
export type Pets = components["schemas"]["Pets"];
/** @description What went wrong. */
export type Error = components["schemas"]["Error"];
/** @description The query parameters of `listPets` (GET /pets). */
export type ListPetsQuery = NonNullable<operations["listPets"]["parameters"]["query"]>;
/** @description The header parameters of `listPets` (GET /pets). */
export type ListPetsHeader = NonNullable<operations["listPets"]["parameters"]["header"]>;
/** @description What `listPets` (GET /pets) answers with 200. */
export type ListPetsResponse = operations["listPets"]["responses"][200]["content"]["application/json"];
/** @description What `listPets` (GET /pets) answers when it fails, with 400, 401, 403, 405, 429, 500, 503. */
export type ListPetsError = operations["listPets"]["responses"][400 | 401 | 403 | 405 | 429 | 500 | 503]["content"]["application/json"];
/** @description The header parameters of `createPet` (POST /pets). */
export type CreatePetHeader = NonNullable<operations["createPet"]["parameters"]["header"]>;
/** @description The request body of `createPet` (POST /pets). */
export type CreatePetBody = NonNullable<operations["createPet"]["requestBody"]>["content"]["application/json"];
/** @description What `createPet` (POST /pets) answers with 201. */
export type CreatePetResponse = operations["createPet"]["responses"][201]["content"]["application/json"];
/** @description What `createPet` (POST /pets) answers when it fails, with 400, 401, 403, 405, 408, 409, 413, 415, 422, 429, 500, 503. */
export type CreatePetError = operations["createPet"]["responses"][400 | 401 | 403 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503]["content"]["application/json"];
/**
 * @deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.
 * @description The path parameters of `getPet` (GET /pets/{petId}).
 */
export type GetPetPath = NonNullable<operations["getPet"]["parameters"]["path"]>;
/**
 * @deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.
 * @description The header parameters of `getPet` (GET /pets/{petId}).
 */
export type GetPetHeader = NonNullable<operations["getPet"]["parameters"]["header"]>;
/**
 * @deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.
 * @description What `getPet` (GET /pets/{petId}) answers with 200.
 */
export type GetPetResponse = operations["getPet"]["responses"][200]["content"]["application/json"];
/**
 * @deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.
 * @description What `getPet` (GET /pets/{petId}) answers when it fails, with 400, 401, 403, 404, 405, 410, 429, 500, 503.
 */
export type GetPetError = operations["getPet"]["responses"][400 | 401 | 403 | 404 | 405 | 410 | 429 | 500 | 503]["content"]["application/json"];
/** @description What any operation answers when it fails. */
export type ApiError = ListPetsError | CreatePetError | GetPetError;
export declare const petStatusValues: readonly ["available", "pending", "sold"];
