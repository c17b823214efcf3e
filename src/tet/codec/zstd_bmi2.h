/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Included before all else of the zstd package (zstd_upstream.mk); takes the place of its common/cpu.h. On x86-64 the package is compiled twice, once with the instructions of BMI2, which make `utet read` 3 to 4 %
 * faster, and each context chooses when it is initialised, thus for each chunk. The package would ask the
 * processor with cpuid each time, which takes 8 microseconds in a virtual machine, and the library has no variable to
 * keep the answer in. So the program answers: it may define utet_zstd_bmi2, which the library defines as 0 and weak.
 * What is decoded and refused is the same.
 */
#ifndef UTET_ZSTD_BMI2_H
#define UTET_ZSTD_BMI2_H

#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__BMI2__) && !defined(__OPTIMIZE_SIZE__)
#define DYNAMIC_BMI2 1

/* Nonzero: the processor has BMI1 and BMI2. */
int utet_zstd_bmi2(void);

#define ZSTD_COMMON_CPU_H
typedef int ZSTD_cpuid_t;
#define ZSTD_cpuid() utet_zstd_bmi2()
#define ZSTD_cpuid_bmi1(answer) (answer)
#define ZSTD_cpuid_bmi2(answer) (answer)
#else
#define DYNAMIC_BMI2 0
#endif

#endif
