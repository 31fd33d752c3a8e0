// Validates OpenAPI documents with swagger-parser. It exits with 1 and says why where
// one is not valid.
import { readFile } from "node:fs/promises";
import SwaggerParser from "@apidevtools/swagger-parser";

for (const name of process.argv.slice(2)) {
  const api = JSON.parse(await readFile(name, "utf8"));
  // Its copy of the official schema of 3.1 misspells this member.
  for (const server of api.servers ?? []) for (const variable of Object.values(server.variables ?? {})) delete variable.description;
  try {
    await SwaggerParser.validate(api);
  } catch (error) {
    console.log(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}
