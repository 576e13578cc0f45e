/** A lazy bundle: the field for a text that the browser refused to copy, which few browsers do. */

export {copyFallback} from '../transfer/payment/copy-fallback.ts';
