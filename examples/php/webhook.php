<?php

// Asks the Worker to send events to a URL, and prints the secret with which it signs them, which is shown only once:
// php webhook.php https://shop.example/vezne
// If the Worker sends events there already, this webhook gets a new secret: a second one would send every event twice.

declare(strict_types=1);

require __DIR__ . '/Vezne.php';

try {
    $vezne = new Vezne((string) getenv('VEZNE_URL'), (string) getenv('VEZNE_KEY'));
    $url = $argv[1] ?? '';
    $known = array_values(array_filter($vezne->read('webhooks')['items'], fn ($webhook) => $webhook['url'] === $url));
    // For a day, a shop that still runs with the replaced secret goes on. On this machine, it is started again at once.
    $hours = in_array(parse_url($url, PHP_URL_HOST), ['localhost', '127.0.0.1'], true) ? 0 : 24;
    $webhook = $known === []
        ? $vezne->write('POST', 'webhooks', ['url' => $url])
        : $vezne->write('POST', "webhooks/{$known[0]['id']}/rotate-secret", ['overlap_hours' => $hours]);
    echo "$webhook[secret]\n";
} catch (VezneError $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
