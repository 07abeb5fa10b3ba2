import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** test/peers */
export const HERE = fileURLToPath(new URL('..', import.meta.url));
/** Debian keeps servers in sbin, which is on the path of root only. */
export const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`;

/**
 * The storage servers: what they need installed, which free ports and secrets their start script (start/<name>) takes
 * from the environment, and what the tests are told of them. Ports and secrets are new in every run.
 */
export const PEERS = [
  {
    name: 'rgw',
    title: 'Ceph RADOS Gateway',
    packages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
    programs: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph', 'ceph-authtool', 'monmaptool', 'radosgw-admin'],
    ports: ['RGW_PORT', 'RGW_MON_V2_PORT', 'RGW_MON_V1_PORT'],
    secrets: { RGW_ACCESS_KEY: 'hex', RGW_SECRET_KEY: 'hex' },
    address: env => ({ url: at(env.RGW_PORT), accessKeyId: env.RGW_ACCESS_KEY, secretAccessKey: env.RGW_SECRET_KEY }),
    tests: ['rows/s3-put', 'rows/s3-post-policy', 'rows/r2-put', 'rows/s3-get'],
    signers: true,
  },
  {
    name: 'swift',
    title: 'OpenStack Swift',
    packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'],
    programs: [
      'swift-proxy-server',
      'swift-account-server',
      'swift-container-server',
      'swift-object-server',
      'swift-ring-builder',
      'memcached',
    ],
    ports: ['SWIFT_PORT', 'SWIFT_CACHE_PORT', 'SWIFT_ACCOUNT_PORT', 'SWIFT_CONTAINER_PORT', 'SWIFT_OBJECT_PORT'],
    secrets: { SWIFT_KEY: 'hex' },
    address: env => ({ url: at(env.SWIFT_PORT), key: env.SWIFT_KEY }),
    tests: ['rows/swift'],
  },
  {
    name: 'azurite',
    title: 'Azurite',
    packages: [],
    programs: [],
    files: ['node_modules/azurite/dist/src/blob/main.js'],
    ports: ['AZURITE_PORT'],
    secrets: { AZURITE_KEY: 'base64' },
    env: env => ({ AZURITE_ACCOUNTS: `peers:${env.AZURITE_KEY}` }),
    address: env => ({ url: at(env.AZURITE_PORT), account: 'peers', key: env.AZURITE_KEY }),
    tests: ['rows/azure', 'rows/azure-get'],
    signers: true,
  },
  {
    name: 'prosody',
    title: 'Prosody file share',
    packages: ['prosody'],
    programs: ['prosody'],
    ports: ['PROSODY_PORT'],
    secrets: { PROSODY_SECRET: 'hex' },
    address: env => ({ url: at(env.PROSODY_PORT), secret: env.PROSODY_SECRET }),
    tests: ['rows/prosody'],
  },
  {
    name: 'nginx',
    title: 'nginx',
    packages: ['nginx-light'],
    programs: ['nginx'],
    ports: ['NGINX_PORT', 'NGINX_REDIRECT_PORT'],
    secrets: { NGINX_SECRET: 'hex' },
    address: (env, work) => ({
      url: at(env.NGINX_PORT),
      secret: env.NGINX_SECRET,
      elsewhereLog: join(work, 'elsewhere.log'),
    }),
    tests: ['rows/nginx'],
  },
  {
    name: 'php',
    title: 'PHP',
    packages: ['php-cli'],
    programs: ['php'],
    ports: ['PHP_PORT'],
    secrets: {},
    address: env => ({ url: at(env.PHP_PORT) }),
    tests: ['rows/php-form'],
  },
  {
    name: 'werkzeug',
    title: 'Werkzeug (Python)',
    packages: ['python3-werkzeug'],
    programs: [],
    files: ['/usr/bin/python3', '/usr/lib/python3/dist-packages/werkzeug/__init__.py'],
    ports: ['WERKZEUG_PORT'],
    secrets: {},
    address: env => ({ url: at(env.WERKZEUG_PORT) }),
    tests: ['rows/werkzeug-form'],
  },
];

/** Run in every case. Those with an official signer need the node_modules of this folder. */
export const STAND_INS = [
  {
    title: 'stand-ins',
    tests: ['rows/graph', 'rows/oracle', 'rows/slack', 'rows/dropbox', 'rows/cloudflare', 'rows/r2-post'],
  },
  { title: 'stand-ins behind the Google signer', tests: ['rows/google', 'rows/linear', 'rows/shopify'], signers: true },
];

/** Programs and files that are not there, files relative to this folder. */
export function missingPrograms({ programs, files = [] }) {
  return [
    ...programs.filter(program => !PATH.split(':').some(folder => canRun(join(folder, program)))),
    ...files.filter(file => !existsSync(resolve(HERE, file))),
  ];
}

export function newSecrets({ secrets }) {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, encoding]) => [name, randomBytes(24).toString(encoding)]),
  );
}

function at(port) {
  return `http://127.0.0.1:${port}`;
}

function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
