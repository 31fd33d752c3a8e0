<?php

declare(strict_types=1);

require __DIR__ . '/autoload.php';

use Matrix\AbortedException;
use Matrix\ApiException;
use Matrix\CallOptions;
use Matrix\ConflictException;
use Matrix\File;
use Matrix\Models\Meta;
use Matrix\Models\Thing;
use Matrix\NotFoundException;
use Matrix\TimeoutException;

$client = new Matrix\Client(baseUrl: $argv[1], key: 'k1', queryKey: 'k2', cookieKey: 'k3', token: 'k4', login: 'user:pass', headers: ['X-Own' => 'mine']);
$things = $client->things;
$bytes = implode('', array_map('chr', range(0, 255)));

$cases = [
    'success' => function () use ($things): string {
        $thing = $things->getThing('ok');
        return $thing->id() . ' ' . $thing->big() . ' ' . $thing->at();
    },
    'authentication' => function () use ($client): string {
        $auth = $client->auth;
        return implode(' ', array_map(fn ($c) => $c->seen(), [$auth->byHeader(), $auth->byQuery(), $auth->byCookie(), $auth->byBearer(), $auth->byBasic()]));
    },
    'missing' => function () use ($things): ?string {
        try {
            $things->getThing('missing');
        } catch (NotFoundException $e) {
            return $e instanceof ApiException ? "{$e->response->status} {$e->errorCode} {$e->requestId} {$e->link} {$e->detail}" : null;
        }
        return null;
    },
    'conflict' => function () use ($things): ?string {
        try {
            $things->getThing('conflict');
        } catch (ConflictException $e) {
            return (string) $e->response->status;
        }
        return null;
    },
    'seconds' => fn () => $things->getThing('seconds')->id(),
    'date' => fn () => $things->getThing('date')->id(),
    'down' => fn () => $things->getThing('down')->id(),
    'slow' => function () use ($things): ?string {
        try {
            $things->getThing('slow', options: new CallOptions(timeout: 0.3, maxRetries: 0));
        } catch (TimeoutException) {
            return 'timeout';
        }
        return null;
    },
    'cancelled' => function () use ($things): string {
        $from = microtime(true);
        try {
            $things->getThing('busy', options: new CallOptions(cancelled: fn (): bool => microtime(true) - $from > 0.3));
        } catch (AbortedException) {
            return microtime(true) - $from < 3 ? 'soon' : 'late';
        }
        return '';
    },
    'redirect' => fn () => $things->getThing('redirect')->id(),
    'upload' => fn () => $things->upload((new Matrix\Models\UploadBody())->setMeta((new Meta())->setTitle('é'))->setFile(new File($bytes, 'a.png')))->id(),
    'binary' => function () use ($things, $bytes): string {
        $got = stream_get_contents($things->download('all'));
        return strlen($got) . ' ' . ord($got[255]) . ' ' . $things->replaceFile('all', $bytes)->id();
    },
    'nulls' => function () use ($things): string {
        $thing = $things->putThing('nulls', (new Thing())->setId('nulls')->setNote(null)->setCount(0)->setFlag(false));
        return ($thing->has('note') && $thing->note() === null ? 'null' : '') . ' ' . ($thing->has('count') ? '' : 'absent');
    },
    'unknown' => fn () => $things->putThing('unknown', $things->getThing('unknown'))->id(),
    'enums' => fn () => $things->getThing('enums')->status(),
    'pages' => function () use ($things): string {
        $all = '';
        foreach ($things->listThingsAll(limit: 2) as $thing) {
            $all .= $thing->id();
        }
        return $all;
    },
    'idempotent' => fn () => $things->createThing((new Thing())->setId('idempotent'))->id(),
];
foreach (array_slice($argv, 2) as $name) {
    try {
        $result = $cases[$name]();
    } catch (Throwable $e) {
        $result = get_class($e) . ' ' . $e->getMessage() . ' ' . $e->getLine();
    }
    echo $name, ': ', $result, PHP_EOL;
}
