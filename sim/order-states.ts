/** What actors know of an order, by which they choose what they do with it. */

import type {OrderBook} from './books.ts';

export const isCodeless = ({codes}: OrderBook): boolean => codes.size === 0;
export const isUnpaid = ({codes, money}: OrderBook): boolean => codes.size > 0 && money.size === 0;
export const isPaid = ({shownPaid}: OrderBook): boolean => shownPaid > 0;
export const isPartlyPaid = ({shownPaid, kurus}: OrderBook): boolean => shownPaid > 0 && shownPaid < kurus;
export const isUntold = ({money, shownPaid}: OrderBook): boolean => money.size > 0 && shownPaid === 0;
export const isGivenBack = (book: OrderBook): boolean => book.arrived > 0 && book.paidOut() >= book.arrived;
