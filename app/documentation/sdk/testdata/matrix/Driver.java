import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import matrix.AbortedException;
import matrix.ApiException;
import matrix.CallOptions;
import matrix.Cancellation;
import matrix.Client;
import matrix.ConflictException;
import matrix.FileData;
import matrix.NotFoundException;
import matrix.TimeoutException;
import matrix.models.Meta;
import matrix.models.Thing;
import matrix.models.UploadBody;
import matrix.params.CreateThingParams;
import matrix.params.DownloadParams;
import matrix.params.GetThingParams;
import matrix.params.ListThingsParams;
import matrix.params.PutThingParams;
import matrix.params.ReplaceFileParams;
import matrix.params.UploadParams;

public final class Driver {
    private static Client client;
    private static final byte[] BYTES = new byte[256];

    private Driver() {}

    private static Thing get(String id) {
        return client.things().getThing(new GetThingParams().id(id));
    }

    private static Thing put(String id, Thing thing) {
        return client.things().putThing(new PutThingParams().id(id).body(thing));
    }

    private static String missing() {
        try {
            get("missing");
        } catch (NotFoundException e) {
            ApiException a = e;
            return a.status() + " " + a.code() + " " + a.requestId() + " " + a.link() + " " + a.detail();
        }
        return null;
    }

    private static String conflict() {
        try {
            get("conflict");
        } catch (ConflictException e) {
            return String.valueOf(e.status());
        }
        return null;
    }

    private static String slow() {
        try {
            client.things().getThing(new GetThingParams().id("slow"), new CallOptions().timeout(Duration.ofMillis(300)).maxRetries(0));
        } catch (TimeoutException e) {
            return "timeout";
        }
        return null;
    }

    private static String cancelled() {
        Cancellation c = new Cancellation();
        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(c::cancel);
        long from = System.nanoTime();
        try {
            client.things().getThing(new GetThingParams().id("busy"), new CallOptions().cancellation(c));
        } catch (AbortedException e) {
            return System.nanoTime() - from < 3_000_000_000L ? "soon" : "late";
        }
        return null;
    }

    private static String binary() throws IOException {
        byte[] got = client.things().download(new DownloadParams().id("all")).readAllBytes();
        return got.length + " " + (got[255] & 255) + " " + client.things().replaceFile(new ReplaceFileParams().id("all").body(BYTES)).id();
    }

    private static String nulls() {
        Thing thing = put("nulls", new Thing().id("nulls").note(null).count(0L).flag(false));
        return (thing.has("note") && thing.note() == null ? "null" : "") + " " + (thing.has("count") ? "" : "absent");
    }

    private static String authentication() {
        StringJoiner all = new StringJoiner(" ");
        all.add(client.auth().byHeader().seen()).add(client.auth().byQuery().seen()).add(client.auth().byCookie().seen());
        return all.add(client.auth().byBearer().seen()).add(client.auth().byBasic().seen()).toString();
    }

    private static String pages() {
        StringBuilder all = new StringBuilder();
        for (Thing thing : client.things().listThingsAll(new ListThingsParams().limit(2L))) {
            all.append(thing.id());
        }
        return all.toString();
    }

    public static void main(String[] args) {
        for (int i = 0; i < 256; i++) {
            BYTES[i] = (byte) i;
        }
        client = Client.builder().baseUrl(args[0]).key("k1").queryKey("k2").cookieKey("k3").token("k4").login("user:pass").header("X-Own", "mine").build();
        Map<String, Callable<String>> cases = Map.ofEntries(
            Map.entry("success", () -> get("ok").id() + " " + get("ok").big() + " " + get("ok").at()),
            Map.entry("authentication", Driver::authentication),
            Map.entry("missing", Driver::missing),
            Map.entry("conflict", Driver::conflict),
            Map.entry("seconds", () -> get("seconds").id()),
            Map.entry("date", () -> get("date").id()),
            Map.entry("down", () -> get("down").id()),
            Map.entry("slow", Driver::slow),
            Map.entry("cancelled", Driver::cancelled),
            Map.entry("redirect", () -> get("redirect").id()),
            Map.entry("upload", () -> client.things().upload(new UploadParams().body(new UploadBody().meta(new Meta().title("\u00e9")).file(FileData.of(BYTES, "a.png", null)))).id()),
            Map.entry("binary", Driver::binary),
            Map.entry("nulls", Driver::nulls),
            Map.entry("unknown", () -> put("unknown", get("unknown")).id()),
            Map.entry("enums", () -> get("enums").status().toString()),
            Map.entry("pages", Driver::pages),
            Map.entry("idempotent", () -> client.things().createThing(new CreateThingParams().body(new Thing().id("idempotent"))).id()));
        for (String name : Arrays.copyOfRange(args, 1, args.length)) {
            String result;
            try {
                result = cases.get(name).call();
            } catch (Exception e) {
                result = e.toString();
            }
            System.out.println(name + ": " + result);
        }
        System.exit(0);
    }
}
