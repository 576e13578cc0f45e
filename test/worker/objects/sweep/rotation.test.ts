/** Which days a sweep searches, and when it has to store its progress. */

import {expect, test} from 'vitest';
import {nextTurn, searchableDays, type Turn} from '../../../../worker/objects/sweep/rotation.ts';
import {
  EMPTY_LIST,
  type ListState,
  mustStore,
  newProgress,
  type SweepProgress,
} from '../../../../worker/objects/sweep/sweep-progress.ts';
import {DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';

/** Wednesday, 25 November 2026, noon in Turkey. */
const NOW = Date.UTC(2026, 10, 25, 9);

/** The progress after all days were read a minute ago, in sweep 10, except these days. */
function progressWith(begin: number, lists: Record<string, Partial<ListState>>): SweepProgress {
  const read: ListState = {...EMPTY_LIST, known: 0, sweep: 10, completeAt: NOW - MINUTE};
  const all = searchableDays(begin, NOW).map((day): [string, ListState] => [day, {...read, ...lists[day]}]);
  return {...newProgress(), sweeps: 10, lists: Object.fromEntries(all)};
}

const WEEK_AGO = NOW - 7 * DAY;
const hold = (retryAt: number) => ({retryAt, failures: 1});

const TURNS: [title: string, begin: number, lists: Record<string, Partial<ListState>>, turn: Turn][] = [
  ['half of the near days', WEEK_AGO, {}, {near: ['2026-11-24', '2026-11-26'], far: []}],
  [
    'the near days whose last turn was longest ago',
    WEEK_AGO,
    {'2026-11-24': {sweep: 11}, '2026-11-26': {sweep: 11}},
    {near: ['2026-11-23', '2026-11-22'], far: []},
  ],
  ['no day before the first day of an open order', NOW - DAY, {}, {near: ['2026-11-24'], far: []}],
  [
    'one far day that was not searched for an hour',
    WEEK_AGO,
    {'2026-11-20': {completeAt: NOW - HOUR}, '2026-12-01': {completeAt: NOW - HOUR, sweep: 9}},
    {near: ['2026-11-24', '2026-11-26'], far: ['2026-12-01']},
  ],
  [
    'an earlier day as a near day, if it was not read since it was near',
    WEEK_AGO,
    {'2026-11-19': {completeAt: Date.UTC(2026, 10, 22, 20, 59, 59), sweep: 3}},
    {near: ['2026-11-19', '2026-11-24', '2026-11-26'], far: []},
  ],
  [
    'no day with a hold, and no far day for a minute after a failure',
    WEEK_AGO,
    {'2026-11-24': {hold: hold(NOW + 1)}, '2026-11-20': {completeAt: 0, sweep: 9, known: null}},
    {near: ['2026-11-20', '2026-11-26'], far: []},
  ],
];

test.each(TURNS)('after today, a sweep searches %s', (_title, begin, lists, turn) => {
  expect(nextTurn(progressWith(begin, lists), searchableDays(begin, NOW), NOW)).toEqual(turn);
});

const STORED: SweepProgress = {...progressWith(WEEK_AGO, {}), begunAt: NOW};
const withToday = (state: Partial<ListState>): SweepProgress => ({
  ...STORED,
  begunAt: NOW + 3 * SECOND,
  lists: {...STORED.lists, '2026-11-25': {...EMPTY_LIST, known: 0, ...state}},
});

const CHANGES: [title: string, progress: SweepProgress, intervalMs: number, isStored: boolean][] = [
  ['turns and times are not stored', withToday({sweep: 11, completeAt: NOW, readAt: NOW}), 3 * SECOND, false],
  ['turns and times are stored if the object may sleep', withToday({sweep: 11}), 15 * SECOND, true],
  ['turns and times are stored after a minute', {...STORED, begunAt: NOW + MINUTE}, 3 * SECOND, true],
  ['new transactions are not stored', withToday({known: 1, total: 1}), 3 * SECOND, false],
  ['a list that must be read again is stored', withToday({known: null}), 3 * SECOND, true],
  ['a page of a pass is stored', withToday({pass: {position: 100, total: 300}}), 3 * SECOND, true],
  ['a failed page is stored', withToday({pageFailedAt: NOW}), 3 * SECOND, true],
  ['a failed day is stored', withToday({hold: hold(NOW)}), 3 * SECOND, true],
  ['a refused long page is stored', {...STORED, lengthRefusal: hold(NOW)}, 3 * SECOND, true],
];

test.each(CHANGES)('%s', (_title, progress, intervalMs, isStored) => {
  expect(mustStore(STORED, progress, intervalMs)).toBe(isStored);
});
