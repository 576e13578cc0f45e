// `h` makes what a compiled template makes for a tag that `isCustomElement` names.
import {h, render} from 'vue';
import {report, tryFramework} from './table.js';

const onName = (name) => `on${name.replace(/(?:^|-)(\w)/g, (_all, letter) => letter.toUpperCase())}`;

report(() =>
  tryFramework((container, {tagName, events}, first, onEvent) => {
    const listeners = Object.fromEntries(events.map(({name}) => [onName(name), onEvent]));
    const set = (values) => render(h(tagName, {...values, ...listeners}), container);
    set(first);
    return {set, unmount: () => render(null, container)};
  }),
);
