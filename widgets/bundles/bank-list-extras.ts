/**
 * A lazy bundle: what a bank list rarely needs. It finds banks by other names, and has the texts for a search and for a
 * list that is stale or empty.
 */

export {bankListExtrasMessages} from '../locales/bank-list-extras.ts';
export {searchAllNames} from '../transfer/bank-list/bank-names.ts';
