// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.petStatusValues = void 0;
exports.petStatusValues = ["available", "pending", "sold"];
