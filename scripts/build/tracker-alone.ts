import type {Plugin, Rolldown} from 'vite';
import {buildFiles} from './chunks.ts';
import {minifyAgain} from './minify.ts';

/**
 * The tracker as one file of its own, beside the same code in the files of the script tag: a page that only counts loads
 * nothing else, and neither file waits for a third that both would share.
 */
export function trackerAlone(): Plugin {
  let tracker: Rolldown.OutputChunk | undefined;
  return {
    name: 'tracker-alone',
    async buildStart() {
      [tracker] = await buildFiles('widgets/activity.ts', [minifyAgain()], {entryFileNames: '[name].js'});
      for (const id of tracker?.moduleIds ?? []) this.addWatchFile(id);
    },
    generateBundle() {
      if (!tracker) return;
      if (tracker.imports.length > 0) this.error('activity.js must need nothing else.');
      this.emitFile({type: 'asset', fileName: 'activity.js', source: tracker.code});
    },
  };
}
