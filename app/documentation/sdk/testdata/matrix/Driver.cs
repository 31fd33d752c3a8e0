using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using Matrix;
using Matrix.Models;

public static class Driver
{
    private static Client client;
    private static readonly byte[] Bytes = Enumerable.Range(0, 256).Select(i => (byte)i).ToArray();

    private static Thing Get(string id, CallOptions options = null, CancellationToken cancel = default(CancellationToken))
    {
        return client.Things.GetThingAsync(new GetThingParams { Id = id }, options, cancel).GetAwaiter().GetResult();
    }

    private static Thing Put(string id, Thing thing)
    {
        return client.Things.PutThingAsync(new PutThingParams { Id = id, Body = thing }).GetAwaiter().GetResult();
    }

    private static string Missing()
    {
        try
        {
            Get("missing");
        }
        catch (NotFoundException e)
        {
            ApiException a = e;
            return a.Status + " " + a.Code + " " + a.RequestId + " " + a.Link + " " + a.Detail;
        }
        return null;
    }

    private static string Conflict()
    {
        try
        {
            Get("conflict");
        }
        catch (ConflictException e)
        {
            return e.Status.ToString();
        }
        return null;
    }

    private static string Slow()
    {
        try
        {
            Get("slow", new CallOptions { Timeout = TimeSpan.FromMilliseconds(300), MaxRetries = 0 });
        }
        catch (Matrix.TimeoutException)
        {
            return "timeout";
        }
        return null;
    }

    private static string Cancelled()
    {
        var cancel = new CancellationTokenSource(300);
        Stopwatch watch = Stopwatch.StartNew();
        try
        {
            Get("busy", null, cancel.Token);
        }
        catch (OperationCanceledException)
        {
            return watch.ElapsedMilliseconds < 3000 ? "soon" : "late";
        }
        return null;
    }

    private static string Binary()
    {
        var got = new MemoryStream();
        client.Things.DownloadAsync(new DownloadParams { Id = "all" }).Result.CopyTo(got);
        return got.Length + " " + got.ToArray()[255] + " " + client.Things.ReplaceFileAsync(new ReplaceFileParams { Id = "all", Body = Bytes }).Result.Id;
    }

    private static string Nulls()
    {
        Thing thing = Put("nulls", new Thing { Id = "nulls", Note = null, Count = 0, Flag = false });
        return (thing.Has_("note") && thing.Note == null ? "null" : "") + " " + (thing.Has_("count") ? "" : "absent");
    }

    public static void Main(string[] args)
    {
        var options = new ClientOptions { BaseUrl = args[0], Key = "k1", QueryKey = "k2", CookieKey = "k3", Token = "k4", Login = "user:pass" };
        options.Headers["X-Own"] = "mine";
        client = new Client(options);
        var upload = new UploadBody { Meta = new Meta { Title = "\u00e9" }, File = new FileData(Bytes, "a.png") };
        var cases = new Dictionary<string, Func<string>>
        {
            { "success", () => Get("ok").Id + " " + Get("ok").Big + " " + Get("ok").At },
            { "authentication", () => string.Join(" ", new[] { client.Auth.ByHeaderAsync(), client.Auth.ByQueryAsync(), client.Auth.ByCookieAsync(), client.Auth.ByBearerAsync(), client.Auth.ByBasicAsync() }.Select(t => t.Result.Seen)) },
            { "missing", Missing },
            { "conflict", Conflict },
            { "seconds", () => Get("seconds").Id },
            { "date", () => Get("date").Id },
            { "down", () => Get("down").Id },
            { "slow", Slow },
            { "cancelled", Cancelled },
            { "redirect", () => Get("redirect").Id },
            { "upload", () => client.Things.UploadAsync(new UploadParams { Body = upload }).Result.Id },
            { "binary", Binary },
            { "nulls", Nulls },
            { "unknown", () => Put("unknown", Get("unknown")).Id },
            { "enums", () => Get("enums").Status.ToString() },
            { "pages", () => string.Concat(client.Things.ListThingsAll(new ListThingsParams { Limit = 2 }).Select(t => t.Id)) },
            { "idempotent", () => client.Things.CreateThingAsync(new CreateThingParams { Body = new Thing { Id = "idempotent" } }).Result.Id },
        };
        foreach (string name in args.Skip(1))
        {
            string result;
            try
            {
                result = cases[name]();
            }
            catch (Exception e)
            {
                result = e.ToString().Replace("\n", " ");
            }
            Console.WriteLine(name + ": " + result);
        }
    }
}
