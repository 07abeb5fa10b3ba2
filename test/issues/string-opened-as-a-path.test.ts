// GHSA-g5r6-gv6m-f5jv (msaleme/red-team-blue-team-agent-fabric#239): an upload tool opened whatever path the model wrote into its
// argument.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server } from './support/call.js';

test.each(['/proc/version', 'file:///proc/version', 'package.json'])(
  '%s in the place of a file stays text',
  async text => {
    const scripted = await server();
    const { files } = await host(scripted.url);
    const result = await files.callToolWithFiles(
      publishing({ deck: text, assets: [text, fromBytes('x', { name: 'x' })] }),
    );
    const { deck, assets } = scripted.calls[0]!.params.arguments;
    expect([deck, assets[0]]).toEqual([text, text]);
    expect(result.transfers.map(({ pointer }) => pointer)).toEqual(['/assets/1']);
  },
);
