// Judges JSON values by schemas of an OpenAPI 3.1 document with ajv. The first file is
// the document, the second has a line for each value: the JSON pointer of its schema and
// the value. Writes a line for each: ok, or what is wrong.
import { readFile } from "node:fs/promises";
import Ajv from "ajv/dist/2020.js";
import formats from "ajv-formats";

const [documentFile, valuesFile] = process.argv.slice(2);
const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: true, logger: false, discriminator: false });
formats(ajv);
ajv.addSchema(JSON.parse(await readFile(documentFile, "utf8")), "document");
const compiled = new Map();
const checkOf = (pointer) => {
  if (!compiled.has(pointer)) compiled.set(pointer, ajv.compile({ $ref: `document#${pointer}` }));
  return compiled.get(pointer);
};
const out = [];
for (const line of (await readFile(valuesFile, "utf8")).split("\n")) {
  if (!line) continue;
  const [pointer, value] = JSON.parse(line);
  const check = checkOf(encodeURI(pointer));
  out.push(check(value) ? "ok" : `${check.errors[0].instancePath} ${check.errors[0].keyword} ${check.errors[0].message}`);
}
process.stdout.write(out.join("\n") + "\n");
