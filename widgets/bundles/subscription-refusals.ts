/** A lazy bundle: the texts for refusals when a shopper subscribes or cancels. Loaded after the first refusal. */

export {actionRefusalOf} from '../locales/subscription-actions.ts';
export {refusalOf} from '../locales/subscription-refusals.ts';
