import {createElement} from 'react';
import {flushSync} from 'react-dom';
import {createRoot} from 'react-dom/client';
import {report, tryFramework} from './table.js';

report(() =>
  tryFramework((container, {tagName, events}, first, onEvent) => {
    const root = createRoot(container);
    const listeners = Object.fromEntries(events.map(({name}) => [`on${name}`, onEvent]));
    const set = (values) => flushSync(() => root.render(createElement(tagName, {...values, ...listeners})));
    set(first);
    return {set, unmount: () => root.unmount()};
  }),
);
