// Runs modules one after another; trials.json says which, and which files a
// page's file input holds for each.
import { File } from "node:buffer";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

console.log = () => {};
for (const { script, files } of JSON.parse(readFileSync("trials.json"))) {
  const chosen = files.map((name) => new File([readFileSync(name)], basename(name)));
  globalThis.document = { querySelector: () => ({ files: chosen }) };
  try {
    await import(pathToFileURL(script));
  } catch (error) {
    console.error(script, error);
    process.exitCode = 1;
  }
}
