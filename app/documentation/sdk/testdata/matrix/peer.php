<?php

// The cases of driver.php with a client of Redocly's generate-client.

declare(strict_types=1);

require __DIR__ . '/client.php';

use Matrix\ApiError;
use Matrix\Client;
use Matrix\Config;
use Matrix\Thing;
use Matrix\TimeoutError;

$config = [
    'serverUrl' => $argv[1], 'retry' => ['attempts' => 3],
    'auth' => ['apiKey' => ['key' => 'k1', 'queryKey' => 'k2', 'cookieKey' => 'k3'], 'bearer' => 'k4', 'basic' => ['username' => 'user', 'password' => 'pass']],
];
$client = new Client(new Config(...$config));
$own = ['X-Own' => 'mine'];
$bytes = implode('', array_map('chr', range(0, 255)));

$cases = [
    'success' => function () use ($client): string {
        $thing = $client->getThing('ok');
        return "{$thing->id} {$thing->big} {$thing->at}";
    },
    'authentication' => fn () => implode(' ', array_map(fn ($c) => $c->seen, [$client->byHeader(), $client->byQuery(), $client->byCookie(), $client->byBearer(), $client->byBasic()])),
    'missing' => function () use ($client): ?string {
        try {
            $client->getThing('missing');
        } catch (ApiError $e) {
            return "{$e->status} {$e->body['code']} {$e->body['type']} {$e->body['detail']}";
        }
        return null;
    },
    'conflict' => function () use ($client): ?string {
        try {
            $client->getThing('conflict');
        } catch (ApiError $e) {
            return (string) $e->status;
        }
        return null;
    },
    'seconds' => fn () => $client->getThing('seconds')->id,
    'date' => fn () => $client->getThing('date')->id,
    'down' => fn () => $client->getThing('down')->id,
    'slow' => function () use ($config): ?string {
        try {
            (new Client(new Config(...['timeout' => 0.3, 'retry' => ['attempts' => 1]] + $config)))->getThing('slow');
        } catch (TimeoutError) {
            return 'timeout';
        }
        return null;
    },
    'cancelled' => fn () => 'a call cannot be cancelled',
    'redirect' => fn () => $client->getThing('redirect', $own)->id,
    'upload' => fn () => $client->upload(['meta' => ['title' => 'é'], 'file' => $bytes])->id,
    'binary' => function () use ($client, $bytes): string {
        $got = $client->download('all');
        return strlen($got) . ' ' . ord($got[255]) . ' ' . $client->replaceFile('all', $bytes)->id;
    },
    'nulls' => function () use ($client): string {
        $thing = $client->putThing('nulls', new Thing(id: 'nulls', note: null, count: 0, flag: false));
        return ($thing->note === null ? 'null' : '') . ' ' . (property_exists($thing, 'count') ? '' : 'absent');
    },
    'unknown' => fn () => $client->putThing('unknown', $client->getThing('unknown'))->id,
    'enums' => fn () => $client->getThing('enums')->status->value,
    'pages' => function () use ($client): string {
        $all = '';
        foreach ($client->listThingsItems(limit: 2) as $thing) {
            $all .= $thing->id;
        }
        return $all;
    },
    'idempotent' => fn () => $client->createThing(new Thing(id: 'idempotent'), idempotencyKey: bin2hex(random_bytes(8)))->id,
];
foreach (array_slice($argv, 2) as $name) {
    try {
        $result = $cases[$name]();
    } catch (Throwable $e) {
        $result = get_class($e) . ' ' . $e->getMessage();
    }
    echo $name, ': ', $result, PHP_EOL;
}
