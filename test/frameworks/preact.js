import {h, render} from 'preact';
import {report, tryFramework} from './table.js';

report(() =>
  tryFramework((container, {tagName, events}, first, onEvent) => {
    const listeners = Object.fromEntries(events.map(({name}) => [`on${name}`, onEvent]));
    const set = (values) => render(h(tagName, {...values, ...listeners}), container);
    set(first);
    return {set, unmount: () => render(null, container)};
  }),
);
