import m from 'mithril';
import {report, tryFramework} from './table.js';

report(() =>
  tryFramework((container, {tagName, events}, first, onEvent) => {
    const listeners = Object.fromEntries(events.map(({name}) => [`on${name}`, onEvent]));
    const set = (values) => m.render(container, m(tagName, {...values, ...listeners}));
    set(first);
    return {set, unmount: () => m.render(container, null)};
  }),
);
