/**
 * A lazy bundle with what a bank list rarely needs: a search that also finds banks by other names, and the notes about
 * a search without a match and about a list that is stale or empty.
 */

export {bankListExtrasMessages} from '../locales/bank-list-extras.ts';
export {searchAllNames} from '../transfer/bank-list/bank-names.ts';
export {emptyNote, noMatchNote} from '../transfer/bank-list/rare-notes.ts';
