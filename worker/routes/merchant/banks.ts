import {PlatformError} from '../../platform/failure.ts';
import {currentBanks} from '../browser/current-banks.ts';
import {toBankList} from '../browser/list-banks.ts';
import type {Handlers} from './handler.ts';

export const banks: Handlers<'listBanks'> = {
  async listBanks(_input, context, request) {
    const known = await currentBanks(context, (failure) => new PlatformError('bankGetAll', failure));
    return toBankList(known, new URL(request.url).origin, context.config.transferTimes);
  },
};
