export async function library() {
  const start = performance.now();
  await import('../../dist/index.js');
  return { milliseconds: performance.now() - start };
}
