// Unreal.h: what examples/MapwrightActor.h wants of Unreal Engine 5, declared as its headers do.
#pragma once

#include <cstdint>

#define UCLASS()
#define GENERATED_BODY()                                                                                               \
public:                                                                                                                \
    using Super = AActor;
#define UPROPERTY(...)
#define TEXT(text) L##text
#define UE_LOG(category, verbosity, format, ...) LogText(format, __VA_ARGS__)

using int32 = int32_t;
using TCHAR = wchar_t;

struct FString
{
    FString();
    FString(const TCHAR*);
    const TCHAR* operator*() const;
    FString& operator+=(const FString&);
    friend FString operator+(const FString&, const FString&);
    friend bool operator==(const FString&, const TCHAR*);
    template <typename... T> static FString Printf(const TCHAR*, T...);
};
void LogText(const TCHAR*, const TCHAR*);

struct FMath
{
    template <typename T> static T Max(T a, T b) { return a > b ? a : b; }
};
struct FCString
{
    static float Atof(const TCHAR*);
};

template <typename T> struct TSharedRef
{
    T* operator->() const;
    T& operator*() const;
};
template <typename T> struct TSharedPtr
{
    TSharedPtr();
    TSharedPtr(const TSharedRef<T>&);
    bool IsValid() const;
    T* operator->() const;
    T& operator*() const;
};
template <typename T> struct TArray
{
    int32 Num() const;
    int32 Add(const T&);
    T& Last();
    T& operator[](int32);
    const T& operator[](int32) const;
    const T* begin() const;
    const T* end() const;
};

// ---- JSON ----

struct FJsonValue;
struct FJsonObject
{
    bool HasField(const FString&) const;
    bool GetBoolField(const FString&) const;
    double GetNumberField(const FString&) const;
    FString GetStringField(const FString&) const;
    bool TryGetStringField(const FString&, FString&) const;
    const TArray<TSharedPtr<FJsonValue>>& GetArrayField(const FString&) const;
    bool TryGetArrayField(const FString&, const TArray<TSharedPtr<FJsonValue>>*&) const;
    const TSharedPtr<FJsonObject>& GetObjectField(const FString&) const;
};
struct FJsonValue
{
    const TSharedPtr<FJsonObject>& AsObject() const;
    const TArray<TSharedPtr<FJsonValue>>& AsArray() const;
    double AsNumber() const;
};
template <typename T = TCHAR> struct TJsonReader
{
};
template <typename T = TCHAR> struct TJsonReaderFactory
{
    static TSharedRef<TJsonReader<T>> Create(const FString&);
};
struct FJsonSerializer
{
    static bool Deserialize(const TSharedRef<TJsonReader<>>&, TSharedPtr<FJsonObject>&);
};

// ---- HTTP ----

struct IHttpResponse
{
    int32 GetResponseCode() const;
    FString GetHeader(const FString&) const;
    FString GetContentAsString() const;
};
struct IHttpRequest;
using FHttpResponsePtr = TSharedPtr<IHttpResponse>;
using FHttpRequestPtr = TSharedPtr<IHttpRequest>;
using FHttpRequestRef = TSharedRef<IHttpRequest>;
struct FHttpRequestCompleteDelegate
{
    template <typename T> void BindUObject(T*, void (T::*)(FHttpRequestPtr, FHttpResponsePtr, bool));
};
struct IHttpRequest
{
    void SetURL(const FString&);
    void SetVerb(const FString&);
    void SetHeader(const FString&, const FString&);
    void SetContentAsString(const FString&);
    FHttpRequestCompleteDelegate& OnProcessRequestComplete();
    bool ProcessRequest();
};
struct FHttpModule
{
    static FHttpModule& Get();
    FHttpRequestRef CreateRequest();
};

// ---- the world ----

struct FVector
{
    FVector(double, double, double);
    FVector operator+(const FVector&) const;
    FVector operator-(const FVector&) const;
    FVector operator*(double) const;
    FVector operator/(double) const;
    double Size() const;
    struct FRotator Rotation() const;
};
struct FRotator
{
    static const FRotator ZeroRotator;
};
struct FTransform
{
    FTransform(const FRotator&, const FVector&, const FVector&);
};
struct USceneComponent
{
};
struct UInstancedStaticMeshComponent : USceneComponent
{
    int32 AddInstance(const FTransform&, bool bWorldSpace = false);
};
struct FTimerHandle
{
};
struct FTimerManager
{
    template <typename T> void SetTimer(FTimerHandle&, T*, void (T::*)(), float, bool);
};
class AActor
{
public:
    virtual ~AActor() = default;
    template <typename T> T* CreateDefaultSubobject(const TCHAR*);

protected:
    USceneComponent* RootComponent = nullptr;
    virtual void BeginPlay();
    FTimerManager& GetWorldTimerManager() const;
};
