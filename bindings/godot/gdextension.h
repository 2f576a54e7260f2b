/*
 * gdextension.h: what is used here of Godot's C interface, by the names and in the layout that its
 * gdextension_interface.h has since Godot 4.2. Where that file is at hand, -DGODOT_HEADER takes it
 * instead.
 */
#ifndef MAPWRIGHT_GDEXTENSION_H
#define MAPWRIGHT_GDEXTENSION_H

#ifdef GODOT_HEADER
#include <gdextension_interface.h>
#else

#include <stdint.h>

typedef int64_t GDExtensionInt;
typedef uint8_t GDExtensionBool;
typedef void *GDExtensionVariantPtr, *GDExtensionTypePtr, *GDExtensionObjectPtr,
    *GDExtensionStringPtr, *GDExtensionStringNamePtr, *GDExtensionClassInstancePtr,
    *GDExtensionClassLibraryPtr, *GDExtensionUninitializedTypePtr,
    *GDExtensionUninitializedVariantPtr, *GDExtensionUninitializedStringPtr,
    *GDExtensionUninitializedStringNamePtr;
typedef const void *GDExtensionConstVariantPtr, *GDExtensionConstTypePtr,
    *GDExtensionConstStringPtr, *GDExtensionConstStringNamePtr;

typedef enum {
    GDEXTENSION_VARIANT_TYPE_STRING = 4,
    GDEXTENSION_VARIANT_TYPE_STRING_NAME = 21,
    GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY = 29,
    GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY = 30
} GDExtensionVariantType;

typedef enum {
    GDEXTENSION_CALL_OK,
    GDEXTENSION_CALL_ERROR_INVALID_METHOD,
    GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT,
    GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS,
    GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS
} GDExtensionCallErrorType;

typedef struct {
    GDExtensionCallErrorType error;
    int32_t argument, expected;
} GDExtensionCallError;

typedef enum { GDEXTENSION_INITIALIZATION_SCENE = 2 } GDExtensionInitializationLevel;

typedef struct {
    GDExtensionInitializationLevel minimum_initialization_level;
    void *userdata;
    void (*initialize)(void *userdata, GDExtensionInitializationLevel);
    void (*deinitialize)(void *userdata, GDExtensionInitializationLevel);
} GDExtensionInitialization;

typedef struct {
    GDExtensionVariantType type;
    GDExtensionStringNamePtr name, class_name;
    uint32_t hint;
    GDExtensionStringPtr hint_string;
    uint32_t usage;
} GDExtensionPropertyInfo;

typedef GDExtensionObjectPtr (*GDExtensionClassCreateInstance)(void *class_userdata);
typedef void (*GDExtensionClassFreeInstance)(void *class_userdata, GDExtensionClassInstancePtr);

typedef struct {
    GDExtensionBool is_virtual, is_abstract, is_exposed;
    void *set_func, *get_func, *get_property_list_func, *free_property_list_func,
        *property_can_revert_func, *property_get_revert_func, *validate_property_func,
        *notification_func, *to_string_func, *reference_func, *unreference_func;
    GDExtensionClassCreateInstance create_instance_func;
    GDExtensionClassFreeInstance free_instance_func;
    void *recreate_instance_func, *get_virtual_func, *get_virtual_call_data_func,
        *call_virtual_with_data_func, *get_rid_func, *class_userdata;
} GDExtensionClassCreationInfo2;

typedef enum { GDEXTENSION_METHOD_FLAGS_DEFAULT = 1 } GDExtensionClassMethodFlags;
typedef enum { GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE } GDExtensionClassMethodArgumentMetadata;

typedef void (*GDExtensionClassMethodCall)(void *method_userdata, GDExtensionClassInstancePtr,
                                           const GDExtensionConstVariantPtr *args,
                                           GDExtensionInt count, GDExtensionVariantPtr result,
                                           GDExtensionCallError *);
typedef void (*GDExtensionClassMethodPtrCall)(void *method_userdata, GDExtensionClassInstancePtr,
                                              const GDExtensionConstTypePtr *args,
                                              GDExtensionTypePtr result);

typedef struct {
    GDExtensionStringNamePtr name;
    void *method_userdata;
    GDExtensionClassMethodCall call_func;
    GDExtensionClassMethodPtrCall ptrcall_func;
    uint32_t method_flags;
    GDExtensionBool has_return_value;
    GDExtensionPropertyInfo *return_value_info;
    GDExtensionClassMethodArgumentMetadata return_value_metadata;
    uint32_t argument_count;
    GDExtensionPropertyInfo *arguments_info;
    GDExtensionClassMethodArgumentMetadata *arguments_metadata;
    uint32_t default_argument_count;
    GDExtensionVariantPtr *default_arguments;
} GDExtensionClassMethodInfo;

/* What the interface is asked for by name. */
typedef void (*GDExtensionInterfaceFunctionPtr)(void);
typedef GDExtensionInterfaceFunctionPtr (*GDExtensionInterfaceGetProcAddress)(const char *name);

typedef void (*GDExtensionPtrConstructor)(GDExtensionUninitializedTypePtr,
                                          const GDExtensionConstTypePtr *args);
typedef void (*GDExtensionPtrDestructor)(GDExtensionTypePtr);
typedef void (*GDExtensionPtrBuiltInMethod)(GDExtensionTypePtr base,
                                            const GDExtensionConstTypePtr *args,
                                            GDExtensionTypePtr result, int count);
typedef void (*GDExtensionVariantFromTypeConstructorFunc)(GDExtensionUninitializedVariantPtr,
                                                          GDExtensionTypePtr);
typedef void (*GDExtensionTypeFromVariantConstructorFunc)(GDExtensionUninitializedTypePtr,
                                                          GDExtensionVariantPtr);

typedef GDExtensionPtrConstructor (*GDExtensionInterfaceVariantGetPtrConstructor)(
    GDExtensionVariantType, int32_t constructor);
typedef GDExtensionPtrDestructor (*GDExtensionInterfaceVariantGetPtrDestructor)(
    GDExtensionVariantType);
typedef GDExtensionPtrBuiltInMethod (*GDExtensionInterfaceVariantGetPtrBuiltinMethod)(
    GDExtensionVariantType, GDExtensionConstStringNamePtr, GDExtensionInt hash);
typedef GDExtensionVariantFromTypeConstructorFunc (
    *GDExtensionInterfaceGetVariantFromTypeConstructor)(GDExtensionVariantType);
typedef GDExtensionTypeFromVariantConstructorFunc (
    *GDExtensionInterfaceGetVariantToTypeConstructor)(GDExtensionVariantType);
typedef GDExtensionVariantType (*GDExtensionInterfaceVariantGetType)(GDExtensionConstVariantPtr);
typedef void (*GDExtensionInterfaceStringNewWithUtf8Chars)(GDExtensionUninitializedStringPtr,
                                                           const char *);
typedef GDExtensionInt (*GDExtensionInterfaceStringToUtf8Chars)(GDExtensionConstStringPtr, char *,
                                                                GDExtensionInt room);
typedef void (*GDExtensionInterfaceStringNameNewWithLatin1Chars)(
    GDExtensionUninitializedStringNamePtr, const char *, GDExtensionBool is_static);
typedef uint8_t *(*GDExtensionInterfacePackedByteArrayOperatorIndex)(GDExtensionTypePtr,
                                                                     GDExtensionInt);
typedef int32_t *(*GDExtensionInterfacePackedInt32ArrayOperatorIndex)(GDExtensionTypePtr,
                                                                      GDExtensionInt);
typedef GDExtensionObjectPtr (*GDExtensionInterfaceClassdbConstructObject)(
    GDExtensionConstStringNamePtr);
typedef void (*GDExtensionInterfaceObjectSetInstance)(GDExtensionObjectPtr,
                                                      GDExtensionConstStringNamePtr,
                                                      GDExtensionClassInstancePtr);
typedef void (*GDExtensionInterfaceClassdbRegisterExtensionClass2)(
    GDExtensionClassLibraryPtr, GDExtensionConstStringNamePtr name,
    GDExtensionConstStringNamePtr parent, const GDExtensionClassCreationInfo2 *);
typedef void (*GDExtensionInterfaceClassdbRegisterExtensionClassMethod)(
    GDExtensionClassLibraryPtr, GDExtensionConstStringNamePtr, const GDExtensionClassMethodInfo *);
typedef void (*GDExtensionInterfaceClassdbUnregisterExtensionClass)(GDExtensionClassLibraryPtr,
                                                                    GDExtensionConstStringNamePtr);
#endif
#endif
