<?php

// The cases of the TypeScript client, with the client in Vezne.php, a Worker and the sandbox. `npm run examples` runs it.

declare(strict_types=1);

require __DIR__ . '/Vezne.php';

[$url, $key, $sandbox] = array_map(fn ($name) => (string) getenv($name), ['VEZNE_URL', 'VEZNE_KEY', 'SANDBOX_URL']);
$vezne = new Vezne($url, $key);
$contact = ['name' => 'Deniz Örnek', 'iban' => 'TR330006100519786457841326'];
$origin = getenv('ORIGIN') ?: 'http://localhost:8000';
$newOrder = fn () => 'S-' . bin2hex(random_bytes(8));
$failures = 0;

function check(string $title, callable $case): void
{
    global $failures;
    try {
        $problem = $case() === false ? 'is not so' : null;
    } catch (Throwable $error) {
        $problem = get_class($error) . ': ' . $error->getMessage();
    }
    $failures += $problem === null ? 0 : 1;
    echo $problem === null ? "ok      $title\n" : "FAILED  $title: $problem\n";
}

/** The error of a call that has to fail. */
function failure(callable $call): ?Throwable
{
    try {
        $call();
        return null;
    } catch (Throwable $error) {
        return $error;
    }
}

/** POST with JSON, as a page or as the sandbox's controls need it. */
function post(string $url, array $body, array $headers = []): array
{
    $request = curl_init($url);
    $all = array_merge(['content-type: application/json'], $headers);
    curl_setopt_array($request, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => $all]
        + [CURLOPT_POSTFIELDS => json_encode($body === [] ? new stdClass() : $body)]);
    return json_decode((string) curl_exec($request), true) ?? [];
}

/** Opens an order in a session, lets the money arrive, and waits until the Worker has seen it. */
$pay = function (string $order, string $amount) use ($vezne, $url, $sandbox, $origin): array {
    $input = ['kind' => 'payment', 'origin' => $origin, 'service' => 'DEMO', 'order' => $order, 'amount' => '149.90'];
    $headers = ["origin: $origin", 'authorization: Bearer ' . $vezne->createSession($input)['token']];
    $code = post("$url/v1/order-code", [], $headers)['order_code'];
    post("$sandbox/_sandbox/transfers", ['order_code' => $code, 'bank' => 'garanti', 'amount' => $amount]);
    for ($until = microtime(true) + 60; microtime(true) < $until; usleep(300_000)) {
        $page = curl_init("$url/v1/payment");
        curl_setopt_array($page, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => $headers]);
        curl_exec($page);
        $found = $vezne->getOrder('DEMO', $order);
        if ($found['payment']['paid'] === $amount) {
            return $found;
        }
    }
    throw new RuntimeException('The Worker did not see the money.');
};

check('a session has the amount that the server chose', function () use ($vezne, $newOrder, $origin) {
    $input = ['kind' => 'payment', 'origin' => $origin, 'service' => 'DEMO', 'order' => $newOrder(), 'amount' => '149.90'];
    $session = $vezne->createSession($input);
    return $session['amount'] === '149.90' && count(explode('.', $session['token'])) === 3;
});
check('an order without metadata has an empty table, which PHP writes as a list', function () use ($vezne, $newOrder) {
    $input = ['service' => 'DEMO', 'order' => $newOrder(), 'amount' => '10.00', 'metadata' => []];
    return $vezne->write('POST', 'order-codes', $input)['amount'] === '10.00'
        && $vezne->write('POST', 'deliveries/resend', [])['resumed'] >= 0;
});
check('the separator of php.ini does not matter', function () use ($vezne) {
    $before = ini_set('arg_separator.output', '&amp;');
    try {
        return failure(fn () => $vezne->getOrder('DEMO', 'S-unknown'))->reason === 'unknown_order';
    } finally {
        ini_set('arg_separator.output', $before);
    }
});
check('a write with the same key and input has the same answer, with other input it is refused', function () use ($vezne, $newOrder) {
    $input = ['service' => 'DEMO', 'order' => $newOrder(), 'amount' => '10.00'];
    $first = $vezne->write('POST', 'order-codes', $input, "code-$input[order]");
    $again = $vezne->write('POST', 'order-codes', $input, "code-$input[order]");
    $other = failure(fn () => $vezne->write('POST', 'order-codes', ['amount' => '11.00'] + $input, "code-$input[order]"));
    return $first === $again && $other->reason === 'idempotency_key_reused' && $other->status === 422;
});
check('a paid order is refunded in part, once for each key, and not above what it has', function () use ($vezne, $newOrder, $pay, $contact) {
    $order = $newOrder();
    $state = $pay($order, '149.90')['payment']['state'];
    $refund = ['service' => 'DEMO', 'order' => $order, 'amount' => '49.90', 'contact' => $contact];
    $first = $vezne->createRefund($refund, "refund-$order-1");
    $again = $vezne->createRefund($refund, "refund-$order-1");
    $tooMuch = failure(fn () => $vezne->createRefund(['amount' => '140.00'] + $refund, "refund-$order-2"));
    $listed = $vezne->getOrder('DEMO', $order)['refunds'];
    return $state === 'paid' && $first['id'] === $again['id'] && $tooMuch->reason === 'refund_too_large'
        && array_column($listed, 'amount', 'id') === [$first['id'] => '49.90'];
});
check('a wrong IBAN names the field, and the error does not have it', function () use ($vezne, $newOrder, $contact) {
    $refund = ['service' => 'DEMO', 'order' => $newOrder(), 'amount' => '1.00', 'contact' => ['iban' => 'TR330006100519786457841327'] + $contact];
    $error = failure(fn () => $vezne->createRefund($refund, 'refund-' . $refund['order']));
    return $error->reason === 'invalid_request' && $error->status === 422 && $error->fields[0]['path'] === 'contact.iban'
        && !str_contains($error->getMessage(), 'TR33') && $error->requestId !== null;
});
check('unknown orders, wrong keys and missing fields have their codes', function () use ($vezne, $url) {
    $codes = array_map(fn (callable $call) => failure($call)->reason, [
        fn () => $vezne->getOrder('DEMO', 'S-unknown'),
        fn () => (new Vezne($url, 'wrong'))->read('banks'),
        fn () => $vezne->createSession(['kind' => 'payment']),
    ]);
    return $codes === ['unknown_order', 'unauthorized', 'invalid_request'];
});
check('lists and searches have pages', function () use ($vezne) {
    $first = $vezne->read('events', ['from' => 'now']);
    return is_array($vezne->read('banks')['items']) && $first['more'] === false
        && array_key_exists('total', $vezne->write('POST', 'transactions/search', ['service' => 'DEMO', 'limit' => 1]));
});
check('a Worker that does not answer is a connection error that may be repeated', function () {
    $error = failure(fn () => (new Vezne('http://127.0.0.1:1', 'key', 2))->read('banks'));
    return $error->reason === 'connection_failed' && $error->retryable && $error->status === 0;
});
check('the key never goes to another machine without https, and is not in a dump', function () use ($vezne, $key) {
    return failure(fn () => new Vezne('http://pay.shop.example', $key)) instanceof InvalidArgumentException
        && !str_contains(print_r($vezne, true), $key);
});

// The vectors are the repository's, which the TypeScript client has to pass too.
$vectors = json_decode((string) file_get_contents(__DIR__ . '/../../merchant/webhook-vectors.json'), true)['vectors'];
foreach ($vectors as $vector) {
    check("a webhook that is $vector[result]: $vector[name]", function () use ($vector) {
        $server = [];
        foreach ($vector['headers'] as $name => $value) {
            $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        $verify = fn ($secrets) => Vezne::verifyWebhook($vector['body'], $server, $secrets, $vector['now']);
        if ($vector['result'] !== 'valid') {
            return failure(fn () => $verify($vector['secret']))->reason === $vector['result'];
        }
        $rotated = $verify(['another secret of the merchant', $vector['secret']]);
        return $verify($vector['secret']) === $rotated && $rotated === json_decode($vector['body'], true);
    });
}
check('a secret that is too short is a mistake of the shop', function () {
    $server = ['HTTP_WEBHOOK_ID' => 'evt_1', 'HTTP_WEBHOOK_TIMESTAMP' => (string) time(), 'HTTP_WEBHOOK_SIGNATURE' => 'v1,AA=='];
    return failure(fn () => Vezne::verifyWebhook('{}', $server, 'whsec_c2hvcnQ=')) instanceof InvalidArgumentException;
});
check('a tolerance or a timeout that is no number of seconds above 0 is a mistake of the shop', function () {
    $verify = fn ($tolerance) => failure(fn () => Vezne::verifyWebhook('{}', [], 'secret', null, $tolerance));
    $isRefused = fn ($tolerance) => $verify($tolerance) instanceof InvalidArgumentException
        || $verify($tolerance) instanceof TypeError;
    return count(array_filter([0, -1, NAN, INF, '600'], $isRefused)) === 5
        && failure(fn () => new Vezne('https://pay.shop.example', 'key', 0)) instanceof InvalidArgumentException;
});

exit($failures > 0 ? 1 : 0);
