<?php

declare(strict_types=1);

/** A call to the Worker failed. `$code` of the Worker is in `$reason`; the message has nothing from the input. */
final class VezneError extends RuntimeException
{
    /** @param list<array{path: string, message: string}> $fields The invalid fields of the input. */
    public function __construct(
        /** A code of docs/errors.md, or `connection_failed` or `unexpected_answer`. */
        public readonly string $reason,
        string $message,
        /** HTTP status; 0 if no answer arrived. The outcome of a write is then unknown. */
        public readonly int $status = 0,
        /** Whether the same call, with the same idempotency key, may succeed later. */
        public readonly bool $retryable = false,
        public readonly array $fields = [],
        public readonly ?string $requestId = null,
        public readonly ?float $retryAfter = null,
    ) {
        parent::__construct("$reason: $message");
    }
}

/** A webhook is not from the Worker. Answer with 400. */
final class WebhookError extends RuntimeException
{
    /** @param string $reason `header_missing`, `timestamp_invalid`, `too_old`, `too_new`, `signature_invalid` or `body_unreadable`. */
    public function __construct(public readonly string $reason)
    {
        parent::__construct("The webhook is refused: $reason.");
    }
}

/** The client of the merchant API of a Vezne Worker. Needs PHP 8.1 with curl, and nothing else. */
final class Vezne
{
    private const RETRIES = 2;

    /** @param string $key An API key, which never leaves this server, or the Worker's MERCHANT_API_KEY. */
    public function __construct(
        private readonly string $url,
        private readonly string $key,
        private readonly int $timeoutSeconds = 40,
    ) {
        if (!preg_match('~^(https://[^/]|http://(localhost|127\.0\.0\.1|\[::1])(:\d+)?/?$)~D', $url)) {
            throw new InvalidArgumentException('The URL of the Worker must begin with https://.');
        }
        if (!preg_match('/^[\x21-\x7e]+$/D', $key)) {
            throw new InvalidArgumentException('The key is missing.');
        }
        if ($timeoutSeconds <= 0) {
            throw new InvalidArgumentException('The timeout must be above 0.');
        }
    }

    /** A dump of the client does not show the key. */
    public function __debugInfo(): array
    {
        return ['url' => $this->url];
    }

    /** A session for a page: `['kind' => 'payment', 'origin' => …, 'service' => …, 'order' => …, 'amount' => '149.90']`. */
    public function createSession(array $input, ?string $idempotencyKey = null): array
    {
        return $this->write('POST', 'sessions', $input, $idempotencyKey);
    }

    /** What the Worker knows of an order: `payment`, `parts`, `refunds`, `history`. */
    public function getOrder(string $service, string $order): array
    {
        return $this->read('orders', ['service' => $service, 'order' => $order]);
    }

    /** Sends money back: `['service' => …, 'order' => …, 'amount' => '49.90', 'contact' => ['name' => …, 'iban' => …]]`. */
    public function createRefund(array $input, string $idempotencyKey): array
    {
        return $this->write('POST', 'refunds', $input, $idempotencyKey);
    }

    /** Any other GET; `$path` is what follows `/merchant/v1/` in `/openapi.json`. */
    public function read(string $path, array $query = []): array
    {
        return $this->call('GET', $path . ($query === [] ? '' : '?' . http_build_query($query, '', '&')));
    }

    /**
     * Any other write. The same key returns the same answer for 72 hours, so that nothing happens twice: pass one that is
     * derived from what you do, such as `refund-S-1009-1`, if this process may end before the answer.
     */
    public function write(string $method, string $path, array $input, ?string $idempotencyKey = null): array
    {
        $body = json_encode($input, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        $idempotencyKey ??= bin2hex(random_bytes(16));
        if (!preg_match('/^[\x21-\x7e]{1,255}$/D', $idempotencyKey)) {
            throw new InvalidArgumentException('An idempotency key has 1 to 255 visible ASCII characters.');
        }
        return $this->call($method, $path, $body, $idempotencyKey);
    }

    /** Repeats a call if nothing arrived, the Worker was busy, or an earlier attempt with the same key is running. */
    private function call(string $method, string $path, ?string $body = null, ?string $idempotencyKey = null): array
    {
        $deadline = microtime(true) + $this->timeoutSeconds;
        for ($failures = 0;;) {
            try {
                $left = $deadline - microtime(true);
                return $this->send($method, $path, $body, $idempotencyKey, $failures < self::RETRIES ? $left / 2 : $left);
            } catch (VezneError $error) {
                $wasRunning = $error->reason === 'in_progress';
                $mayRepeat = $wasRunning || ($error->retryable
                    && ($error->status === 0 || $error->status >= 500 || $error->retryAfter !== null)
                    && !($body !== null && $error->reason === 'internal'));
                $failures += $wasRunning ? 0 : 1;
                $wait = ($error->retryAfter ?? 0.0) + random_int(0, 250 * 2 ** min($failures, 5)) / 1000;
                if (!$mayRepeat || $failures > self::RETRIES || microtime(true) + $wait >= $deadline) {
                    throw $error;
                }
                usleep((int) ($wait * 1_000_000));
            }
        }
    }

    private function send(string $method, string $path, ?string $body, ?string $idempotencyKey, float $seconds): array
    {
        $headers = ['accept: application/json', "authorization: Bearer $this->key"];
        if ($body !== null) {
            array_push($headers, 'content-type: application/json', "idempotency-key: $idempotencyKey");
        }
        $retryAfter = null;
        $request = curl_init(rtrim($this->url, '/') . "/merchant/v1/$path");
        // Redirects are not followed, because they would carry the key to another host.
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => max(1, (int) ($seconds * 1000)),
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$retryAfter): int {
                if (preg_match('/^retry-after: (\d+)/i', $line, $found)) {
                    $retryAfter = (float) $found[1];
                }
                return strlen($line);
            },
        ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
        $text = curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($text === false) {
            throw new VezneError('connection_failed', 'No answer of the Worker arrived.', retryable: true);
        }
        $answer = json_decode((string) $text, true);
        if ($status >= 200 && $status < 300 && is_array($answer)) {
            return $answer;
        }
        if (!is_array($answer) || !is_string($answer['code'] ?? null)) {
            throw new VezneError('unexpected_answer', "HTTP $status, but not from the Worker.", $status, $status >= 500);
        }
        $fields = $answer['fields'] ?? [];
        $details = implode('', array_map(fn (array $field) => " $field[path]: $field[message]", $fields));
        throw new VezneError(
            $answer['code'],
            ($answer['title'] ?? '') . $details,
            $status,
            $answer['retryable'] ?? false,
            $fields,
            $answer['request_id'] ?? null,
            $retryAfter,
        );
    }

    /**
     * Checks the signature and the time of a webhook, and returns its event. The same event may arrive more than once.
     * @param string $body The body as it arrived: `file_get_contents('php://input')`.
     * @param array<string, mixed> $server `$_SERVER`.
     * @param string|list<string> $secrets `whsec_…`; while you change it, the old one and the new one.
     * @param int|null $now Seconds since 1970, for tests.
     * @param int $toleranceSeconds How far the webhook's time may be from the current time.
     * @throws WebhookError
     */
    public static function verifyWebhook(
        string $body,
        array $server,
        string|array $secrets,
        ?int $now = null,
        int $toleranceSeconds = 300,
    ): array {
        if ($toleranceSeconds <= 0) {
            throw new InvalidArgumentException('The tolerance must be above 0.');
        }
        $headers = array_map(fn (string $name) => $server["HTTP_WEBHOOK_$name"] ?? '', ['ID', 'TIMESTAMP', 'SIGNATURE']);
        if (in_array('', $headers, true)) {
            throw new WebhookError('header_missing');
        }
        [$id, $time, $signatures] = $headers;
        if (!preg_match('/^\d{1,12}$/D', $time)) {
            throw new WebhookError('timestamp_invalid');
        }
        $age = ($now ?? time()) - (int) $time;
        if (abs($age) > $toleranceSeconds) {
            throw new WebhookError($age > 0 ? 'too_old' : 'too_new');
        }
        $isValid = false;
        foreach ((array) $secrets as $secret) {
            $key = str_starts_with($secret, 'whsec_') ? (string) base64_decode(substr($secret, 6), true) : $secret;
            if (strlen($key) < 24) {
                throw new InvalidArgumentException('The secret of a webhook has at least 24 bytes.');
            }
            $right = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
            foreach (explode(' ', $signatures) as $given) {
                $isValid = hash_equals($right, $given) || $isValid;
            }
        }
        if (!$isValid) {
            throw new WebhookError('signature_invalid');
        }
        $event = json_decode($body, true);
        return is_array($event) && !array_is_list($event) ? $event : throw new WebhookError('body_unreadable');
    }
}
