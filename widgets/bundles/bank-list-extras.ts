/**
 * A lazy bundle: what a bank list rarely needs. It finds banks by other names, and has the notes about a search and
 * about a list that is stale or empty.
 */

export {bankListExtrasMessages} from '../locales/bank-list-extras.ts';
export {searchAllNames} from '../transfer/bank-list/bank-names.ts';
export {emptyNote, noMatchNote, staleNote} from '../transfer/bank-list/rare-notes.ts';
