// The cases of Driver.java with a client of Redocly's generate-client.

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import matrix.Client;

final class Peer {
    static Client.Config config(String address) {
        return new Client.Config().serverUrl(address).header("X-Own", "mine").retry(new Client.Retry().retries(2))
            .idempotencyKey(() -> UUID.randomUUID().toString())
            .auth(new Client.Auth().apiKey("key", "k1").apiKey("queryKey", "k2").apiKey("cookieKey", "k3").bearer("k4").basic("user", "pass"));
    }

    static Client.Thing thing(String id, Long count, Boolean flag) {
        return new Client.Thing(id, null, count, flag, null, null, null);
    }

    public static void main(String[] args) {
        Client client = new Client(config(args[0]));
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        Map<String, Callable<String>> cases = new LinkedHashMap<>();
        cases.put("success", () -> {
            Client.Thing thing = client.getThing("ok");
            return thing.id() + " " + thing.big() + " " + thing.at();
        });
        cases.put("authentication", () -> String.join(" ", client.byHeader().seen(), client.byQuery().seen(), client.byCookie().seen(), client.byBearer().seen(), client.byBasic().seen()));
        cases.put("missing", () -> {
            try {
                return client.getThing("missing").id();
            } catch (Client.ApiException e) {
                Map<?, ?> body = (Map<?, ?>) e.body;
                return e.status + " " + body.get("code") + " " + body.get("type") + " " + body.get("detail");
            }
        });
        cases.put("conflict", () -> {
            try {
                return client.getThing("conflict").id();
            } catch (Client.ApiException e) {
                return String.valueOf(e.status);
            }
        });
        for (String id : new String[] {"seconds", "date", "down", "redirect"}) {
            cases.put(id, () -> client.getThing(id).id());
        }
        cases.put("slow", () -> {
            try {
                return new Client(config(args[0]).timeout(Duration.ofMillis(300)).retry(new Client.Retry())).getThing("slow").id();
            } catch (Client.ApiTimeoutException e) {
                return "timeout";
            }
        });
        cases.put("cancelled", () -> {
            long from = System.nanoTime();
            Thread caller = new Thread(() -> {
                try {
                    client.getThing("busy");
                } catch (RuntimeException e) {
                    // the call has ended, as it should
                }
            });
            caller.start();
            Thread.sleep(300);
            caller.interrupt();
            caller.join();
            return System.nanoTime() - from < 3_000_000_000L ? "soon" : "late";
        });
        cases.put("upload", () -> client.upload(Map.of("meta", Map.of("title", "é"), "file", all)).id());
        cases.put("binary", () -> {
            byte[] got = client.download("all");
            return got.length + " " + (got[255] & 255) + " " + client.replaceFile("all", all).id();
        });
        cases.put("nulls", () -> {
            Client.Thing got = client.putThing("nulls", thing("nulls", 0L, false));
            return got.note() + " " + got.count();
        });
        cases.put("unknown", () -> client.putThing("unknown", client.getThing("unknown")).id());
        cases.put("enums", () -> String.valueOf(client.getThing("enums").status()));
        cases.put("pages", () -> "no iterator");
        cases.put("idempotent", () -> client.createThing(thing("idempotent", null, null)).id());
        for (int i = 1; i < args.length; i++) {
            String result;
            try {
                result = cases.get(args[i]).call();
            } catch (Exception e) {
                result = e.toString().replace('\n', ' ');
            }
            System.out.println(args[i] + ": " + result);
        }
    }
}
