declare const PACKAGE_VERSION: string | undefined;

/** The package's version; put in at build time. */
export const VERSION = typeof PACKAGE_VERSION === 'string' ? PACKAGE_VERSION : '0.0.0';
