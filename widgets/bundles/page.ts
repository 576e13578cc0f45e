/**
 * A lazy bundle: what elements take from the page around them. Loaded if the page has colors of its own, or if it says
 * something of an order.
 */

export {watchColors} from '../core/styles/readable-colors.ts';
export {pageFacts} from '../transfer/purchase/page-facts.ts';
