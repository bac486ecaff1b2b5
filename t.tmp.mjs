import { minify } from 'terser'; import { readFileSync, writeFileSync } from 'node:fs'; import { gzipSync } from 'node:zlib';
const code = readFileSync('/tmp/page.js','utf8');
console.log('before', gzipSync(code,{level:9}).length);
const t=Date.now();
const out = await minify(code, { module: true, ecma: 2022, compress: { passes: 2 }, mangle: true });
console.log(out.code.length, gzipSync(out.code,{level:9}).length, Date.now()-t);
writeFileSync('/tmp/page.terser.js', out.code);
