/** The body as text; null when it is longer than `maxBytes`. */
export async function readText(response: Response, maxBytes: number): Promise<string | null> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    text += decoder.decode(chunk, {stream: true});
  }
  return text + decoder.decode();
}
