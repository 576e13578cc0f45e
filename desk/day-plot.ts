/** Draws the pictures of a day. This file and uPlot load only with the day. */

import uPlot from 'uplot';
import plotStyles from 'uplot/dist/uPlot.min.css?inline';

/** The style sheet of uPlot, for the shadow root that has the pictures. */
export {plotStyles};

export interface Picture {
  readonly kind: 'bars' | 'line';
  /** The labels below the picture, one for each value. */
  readonly labels: readonly string[];
  /** Lira. */
  readonly values: readonly number[];
  readonly formatAxis: (value: number) => string;
}

const HEIGHT_PX = 180;

/** Draws a picture into an element. @returns How to resize and to remove it. */
export function draw(target: HTMLElement, {kind, labels, values, formatAxis}: Picture) {
  const colors = getComputedStyle(target);
  const color = (name: string) => colors.getPropertyValue(name).trim();
  // A canvas knows no custom properties and no light-dark().
  const resolve = (name: string) => {
    target.style.color = `var(${name})`;
    const resolved = getComputedStyle(target).color || color(name);
    target.style.color = '';
    return resolved;
  };
  const accent = resolve('--_accent');
  const muted = resolve('--_muted');
  const line = resolve('--_line');
  const axis = {stroke: muted, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1}, font: '12px system-ui'};
  const bars = uPlot.paths.bars?.({size: [0.7, 40]});
  const plot = new uPlot(
    {
      width: target.clientWidth,
      height: HEIGHT_PX,
      legend: {show: false},
      cursor: {show: false},
      scales: {
        x: {time: false, range: [-0.5, labels.length - 0.5]},
        y: {range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1]},
      },
      axes: [
        {...axis, grid: {show: false}, values: (_plot, splits) => splits.map((at) => labels[at] ?? '')},
        {...axis, size: 76, values: (_plot, splits) => splits.map(formatAxis)},
      ],
      series: [
        {},
        kind === 'bars' && bars
          ? {stroke: accent, fill: accent, width: 0, paths: bars, points: {show: false}}
          : {stroke: accent, width: 2, points: {show: true, size: 5, fill: accent}},
      ],
    },
    [labels.map((_, index) => index), [...values]],
    target,
  );
  return {
    resize: () => plot.setSize({width: target.clientWidth, height: HEIGHT_PX}),
    remove: () => plot.destroy(),
  };
}
