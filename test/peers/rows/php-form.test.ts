import { randomUUID } from 'node:crypto';
import { readsForms } from '../support/form-reader.js';
import { peer } from '../support/peers.js';
import { row } from '../support/row.js';

row({ name: 'Form, read by another parser', kind: 'real peer', peer: 'PHP' }, () => {
  const { url } = peer('php');
  readsForms(() => `${url}/${randomUUID()}`, { quote: '%22' });
});
