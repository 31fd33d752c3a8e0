// Verifies webhooks with the library standardwebhooks. It reads a list of
// {secret, headers, body} as JSON and writes a list of "valid" or the error.
const { Webhook } = require("standardwebhooks");

const posts = JSON.parse(require("fs").readFileSync(0, "utf8"));
const results = posts.map(({ secret, headers, body }) => {
  try {
    const event = new Webhook(secret).verify(body, headers);
    return event.type === "contact.enquiry.created" ? "valid" : "another event";
  } catch (err) {
    return err.message;
  }
});
console.log(JSON.stringify(results));
