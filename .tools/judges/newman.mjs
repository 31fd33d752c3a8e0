// Runs collections with newman, one after the other in one process, since starting it
// takes longer than most of them. The argument is a file with a list of runs as newman
// takes them. It exits with 1 and says why where one fails.
import { readFile } from "node:fs/promises";
import newman from "newman";

for (const run of JSON.parse(await readFile(process.argv[2], "utf8"))) {
  await new Promise((done) => {
    newman.run(run, (error, summary) => {
      const failed = error ?? summary.error ?? summary.run.failures[0]?.error;
      if (failed) {
        console.error(`${run.collection}: ${failed.message ?? failed}`);
        process.exitCode = 1;
      }
      done();
    });
  });
}
